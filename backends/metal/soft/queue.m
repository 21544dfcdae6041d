/* A queue with its thread, and command buffers.
 *
 * PARITY_METAL_SEED=N (not 0) makes every choice that Metal leaves open by chance, from
 * this seed: work begins only when somebody waits for it, passes overtake each other
 * where no hazard forbids it, threadgroups and threads run in any order. */
#include "backends/metal/soft/objects.h"

#include <stdlib.h>

@implementation SoftCommandBuffer
- (instancetype)init
{
    _last = &_passes;
    return self;
}

- (SoftEncoder *)encoder:(bool)compute
{
    SOFT_ASSERT(_status < MTLCommandBufferStatusCommitted,
                "an encoder of a command buffer that was committed");
    SOFT_ASSERT(!_encoding, "an encoder while another one is open");
    soft_pass *pass = calloc(1, sizeof *pass);
    if (!pass)
        soft_assert_failed("out of memory for a pass");
    pass->owner = self;
    *_last = pass;
    _last = &pass->next;
    _left++;
    _encoding = true;
    SoftEncoder *encoder = [SoftEncoder new];
    encoder->_owner = self;
    encoder->_pass = pass;
    encoder->_compute = compute;
    return [encoder autorelease];
}

- (id<MTLBlitCommandEncoder>)blitCommandEncoder
{
    return [self encoder:false];
}

- (id<MTLComputeCommandEncoder>)computeCommandEncoder
{
    return [self encoder:true];
}

- (void)commit
{
    soft_worker *w = _queue->_worker;
    SOFT_ASSERT(!_encoding, "commit while an encoder is open");
    pthread_mutex_lock(&w->mutex);
    SOFT_ASSERT(_status < MTLCommandBufferStatusCommitted, "commit called twice");
    _status = _left ? MTLCommandBufferStatusCommitted : MTLCommandBufferStatusCompleted;
    if (_passes) {
        [self retain]; /* until its last pass has run */
        *w->last = _passes;
        w->last = _last;
        _passes = NULL;
    }
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->mutex);
}

- (void)waitUntilCompleted
{
    soft_worker *w = _queue->_worker;
    pthread_mutex_lock(&w->mutex);
    SOFT_ASSERT(_status >= MTLCommandBufferStatusCommitted,
                "waitUntilCompleted before commit");
    if (!_wanted)
        w->wanted += _left;
    _wanted = true;
    pthread_cond_broadcast(&w->changed);
    while (_left)
        pthread_cond_wait(&w->changed, &w->mutex);
    pthread_mutex_unlock(&w->mutex);
}

/* The mutex is held. */
- (void)passRan:(const char *)why
{
    _left--;
    if (_wanted)
        _queue->_worker->wanted--;
    if (*why && !_error)
        _error = [soft_error(MTLCommandBufferErrorPageFault, why) retain];
    if (!_left)
        _status = _error ? MTLCommandBufferStatusError : MTLCommandBufferStatusCompleted;
}

- (MTLCommandBufferStatus)status
{
    pthread_mutex_lock(&_queue->_worker->mutex);
    MTLCommandBufferStatus status = _status;
    pthread_mutex_unlock(&_queue->_worker->mutex);
    return status;
}

- (NSError *)error
{
    pthread_mutex_lock(&_queue->_worker->mutex);
    NSError *error = _error;
    pthread_mutex_unlock(&_queue->_worker->mutex);
    return error;
}

- (void)dealloc
{
    while (_passes) {
        soft_pass *pass = _passes;
        _passes = pass->next;
        soft_pass_free(pass);
    }
    [_error release];
    [_queue release];
    [super dealloc];
}
@end

static bool conflict(const soft_pass *a, const soft_pass *b)
{
    for (size_t i = 0; i < a->nbuffers; i++)
        for (size_t j = 0; j < b->nbuffers; j++)
            if (a->buffers[i] == b->buffers[j] && (a->written[i] || b->written[j]))
                return true;
    return false;
}

static bool may_overtake(const soft_worker *w, const soft_pass *pass)
{
    for (const soft_pass *p = w->first; p != pass; p = p->next)
        if (conflict(p, pass))
            return false;
    return true;
}

/* Takes the next pass to run out of the queue. */
static soft_pass *take(soft_worker *w)
{
    soft_pass **chosen = &w->first;
    uint64_t among = 0;
    for (soft_pass **p = &w->first; w->seed && *p; p = &(*p)->next)
        if (may_overtake(w, *p) && soft_random(&w->state) % ++among == 0)
            chosen = p;
    soft_pass *pass = *chosen;
    *chosen = pass->next;
    if (!*chosen)
        w->last = chosen;
    return pass;
}

static bool has_work(const soft_worker *w)
{
    return w->first && (!w->seed || w->wanted || w->stop);
}

static void worker_free(soft_worker *w)
{
    pthread_mutex_destroy(&w->mutex);
    pthread_cond_destroy(&w->changed);
    free(w);
}

static void run_next(soft_worker *w)
{
    char why[512];
    soft_pass *pass = take(w);
    SoftCommandBuffer *owner = pass->owner;
    owner->_status = MTLCommandBufferStatusScheduled;
    pthread_mutex_unlock(&w->mutex);
    @autoreleasepool {
        soft_pass_run(pass, &w->state, why, sizeof why);
        soft_pass_free(pass);
        pthread_mutex_lock(&w->mutex);
        [owner passRan:why];
        bool last = owner->_left == 0;
        pthread_cond_broadcast(&w->changed);
        pthread_mutex_unlock(&w->mutex);
        if (last)
            [owner release];
    }
    pthread_mutex_lock(&w->mutex);
}

static void *worker_main(void *context)
{
    soft_worker *w = context;
    pthread_mutex_lock(&w->mutex);
    for (;;) {
        while (!has_work(w) && !w->stop)
            pthread_cond_wait(&w->changed, &w->mutex);
        if (!w->first)
            break;
        run_next(w);
    }
    bool orphan = w->orphan;
    pthread_mutex_unlock(&w->mutex);
    soft_thread_end();
    if (orphan)
        worker_free(w);
    return NULL;
}

@implementation SoftQueue
- (instancetype)init
{
    const char *seed = getenv("PARITY_METAL_SEED");
    _worker = calloc(1, sizeof *_worker);
    if (!_worker)
        soft_assert_failed("out of memory for a queue");
    pthread_mutex_init(&_worker->mutex, NULL);
    pthread_cond_init(&_worker->changed, NULL);
    _worker->last = &_worker->first;
    _worker->seed = seed ? strtoull(seed, NULL, 10) : 0;
    _worker->state = _worker->seed;
    if (pthread_create(&_thread, NULL, worker_main, _worker))
        soft_assert_failed("no thread for a queue");
    return self;
}

- (id<MTLCommandBuffer>)commandBuffer
{
    SoftCommandBuffer *buffer = [SoftCommandBuffer new];
    buffer->_queue = [self retain];
    return [buffer autorelease];
}

- (void)dealloc
{
    pthread_t thread = _thread;
    soft_worker *w = _worker;
    bool own = pthread_equal(pthread_self(), thread);
    pthread_mutex_lock(&w->mutex);
    w->stop = true;
    w->orphan = own;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->mutex);
    if (own) {
        pthread_detach(thread);
    } else {
        pthread_join(thread, NULL);
        worker_free(w);
    }
    [super dealloc];
}
@end

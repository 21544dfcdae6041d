/* All that sees the headers of PyTorch, in one file. In this order: exceptions to errors
 * (guard); names of types and what a tensor looks like (look); schemas and values, from C
 * to ATen (convert, arrange) and back (deliver); the allocator that counts; then the
 * functions of shim.h, as they stand there. */
#include "oracles/libtorch/shim.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/ScalarOps.h>
#include <ATen/Tensor.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/CPUAllocator.h>
#include <torch/headeronly/version.h>

#include <atomic>
#include <cstring>
#include <malloc.h>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

struct shim_tensor {
    at::Tensor tensor;
};

namespace
{

int fail(shim_error *error, const char *type, const char *text) noexcept
{
    if (error == nullptr)
        return -1;
    snprintf(error->type, sizeof error->type, "%s", type);
    snprintf(error->text, sizeof error->text, "%.*s", (int)strcspn(text, "\r\n"), text);
    return -1;
}

/* A mistake of whoever calls the shim, as Python reports those of its callers. */
[[noreturn]] void misuse(const std::string &text)
{
    throw c10::TypeError({__func__, __FILE__, (uint32_t)__LINE__}, text);
}

/* The classes of c10 that Python raises as a class of its own; the rest are RuntimeError.
 * As in torch/csrc/Exceptions.h. */
template <typename F> int guard(shim_error *error, F &&body) noexcept
{
    try {
        body();
        return 0;
    } catch (const c10::IndexError &e) {
        return fail(error, "IndexError", e.what_without_backtrace());
    } catch (const c10::ValueError &e) {
        return fail(error, "ValueError", e.what_without_backtrace());
    } catch (const c10::TypeError &e) {
        return fail(error, "TypeError", e.what_without_backtrace());
    } catch (const c10::NotImplementedError &e) {
        return fail(error, "NotImplementedError", e.what_without_backtrace());
    } catch (const c10::LinAlgError &e) {
        return fail(error, "LinAlgError", e.what_without_backtrace());
    } catch (const c10::OutOfMemoryError &e) {
        return fail(error, "OutOfMemoryError", e.what_without_backtrace());
    } catch (const c10::Error &e) {
        return fail(error, "RuntimeError", e.what_without_backtrace());
    } catch (const std::out_of_range &e) {
        return fail(error, "IndexError", e.what());
    } catch (const std::exception &e) {
        return fail(error, "RuntimeError", e.what());
    } catch (...) {
        return fail(error, "RuntimeError", "something that is no std::exception");
    }
}

/* std::string_view that need not end in a NUL, as texts that live for ever. */
const char *forever(const std::string &text)
{
    static std::mutex lock;
    static std::unordered_map<std::string, std::string> texts;
    std::lock_guard<std::mutex> hold(lock);
    return texts.emplace(text, text).first->second.c_str();
}

const char *dtype_name(c10::ScalarType type)
{
    static std::atomic<const char *> known[(size_t)c10::ScalarType::NumOptions];
    std::atomic<const char *> &name = known[(size_t)type];
    if (name == nullptr)
        name = forever(std::string(c10::getDtypeNames(type).first));
    return name;
}

const char *layout_name(c10::Layout layout)
{
    if (layout == c10::kStrided)
        return "strided";
    std::string name = (std::ostringstream() << layout).str();
    for (char &letter : name)
        letter = (char)tolower(letter);
    return forever(name);
}

c10::ScalarType dtype_of(const char *name)
{
    const auto &names = c10::getStringToDtypeMap();
    auto found = names.find(name);
    if (found == names.end())
        misuse(std::string("there is no dtype ") + name);
    return found->second;
}

/* The identity of a version counter. c10 has no name for it: a VariableVersion is one
 * pointer. */
const void *counter_of(const at::Tensor &tensor)
{
    const c10::VariableVersion &version = tensor.unsafeGetTensorImpl()->version_counter();
    static_assert(sizeof version == sizeof(void *), "a VariableVersion is one pointer");
    if (!version.enabled())
        return nullptr;
    const void *counter;
    memcpy(&counter, (const void *)&version, sizeof counter);
    return counter;
}

void look(shim_info *out, const at::Tensor &tensor)
{
    *out = shim_info{};
    if (!tensor.defined())
        misuse("the tensor is undefined");
    out->dtype = dtype_name(tensor.scalar_type());
    out->layout = layout_name(tensor.layout());
    out->device = tensor.is_cpu() ? "cpu" : forever(tensor.device().str());
    out->negative = tensor.is_neg();
    out->requires_grad = tensor.requires_grad();
    out->leaf = tensor.is_leaf();
    out->version = tensor.is_inference() ? -1 : tensor._version();
    out->counter = counter_of(tensor);
    if (tensor.is_view())
        out->base = tensor._base().unsafeGetTensorImpl();
    if (tensor.layout() != c10::kStrided || !tensor.has_storage())
        return;
    if (tensor.dim() > SHIM_MAX_RANK)
        misuse("the tensor has more than 64 dimensions");
    out->rank = (size_t)tensor.dim();
    std::copy(tensor.sizes().begin(), tensor.sizes().end(), out->sizes);
    std::copy(tensor.strides().begin(), tensor.strides().end(), out->strides);
    out->offset = tensor.storage_offset();
    const c10::Storage &storage = tensor.storage();
    out->storage = storage.unsafeGetStorageImpl();
    out->uses = storage.use_count();
    out->bytes = storage.nbytes();
    if (!tensor.is_cpu())
        return;
    out->data = static_cast<const unsigned char *>(storage.data());
    out->readable = !tensor.is_neg() && !tensor.is_conj() && !tensor._is_zerotensor();
}

c10::OperatorHandle find(const char *name, const char *overload)
{
    auto found = c10::Dispatcher::singleton().findSchema({name, overload});
    if (!found)
        misuse(std::string("there is no operator ") + name + (*overload ? "." : "") +
               overload);
    return *found;
}

[[noreturn]] void mismatch(const shim_value &value, const c10::Type &type)
{
    static const char *const kinds[] = {"None",     "a bool",    "an int",
                                        "a float",  "a text",    "a word",
                                        "a tensor", "a storage", "a list"};
    misuse(std::string(kinds[value.kind]) + " where " + type.repr_str() + " is expected");
}

/* Scalars, and what schemas write as int but mean as dtype, layout or memory format. */
c10::IValue convert_word(const char *word, const c10::Type &type)
{
    static const std::unordered_map<std::string, c10::MemoryFormat> formats = {
        {"contiguous_format", c10::MemoryFormat::Contiguous},
        {"preserve_format", c10::MemoryFormat::Preserve},
        {"channels_last", c10::MemoryFormat::ChannelsLast},
        {"channels_last_3d", c10::MemoryFormat::ChannelsLast3d}};
    switch (type.kind()) {
    case c10::TypeKind::ScalarTypeType:
        return dtype_of(word);
    case c10::TypeKind::LayoutType:
        if (strcmp(word, "strided") == 0)
            return c10::kStrided;
        misuse(std::string("layout ") + word + " is not supported");
    case c10::TypeKind::MemoryFormatType:
        if (formats.count(word))
            return formats.at(word);
        misuse(std::string("there is no memory format ") + word);
    case c10::TypeKind::DeviceObjType:
        return c10::Device(word);
    default:
        misuse(std::string(word) + " where " + type.repr_str() + " is expected");
    }
}

c10::IValue convert(const shim_value &value, const c10::Type &type);

/* A number where a tensor is expected is one of rank 0 that yields to other dtypes. */
c10::Scalar number_of(const shim_value &value)
{
    return value.kind == SHIM_BOOL  ? c10::Scalar(value.boolean)
           : value.kind == SHIM_INT ? c10::Scalar(value.integer)
                                    : c10::Scalar(value.number);
}

/* An int stands for a list of it, as in Python: dim=0 for int[1] dim. */
c10::IValue convert_list(const shim_value &value, const c10::ListType &type)
{
    c10::TypePtr item = type.getElementType();
    c10::TypePtr stored = item;
    if (item->kind() == c10::TypeKind::SymIntType)
        stored = c10::IntType::get();
    if (value.kind != SHIM_LIST && value.kind != SHIM_INT)
        mismatch(value, type);
    c10::impl::GenericList list(stored);
    if (value.kind == SHIM_INT)
        list.push_back(convert(value, *item));
    for (size_t i = 0; value.kind == SHIM_LIST && i < value.count; i++)
        list.push_back(convert(value.items[i], *item));
    return list;
}

c10::IValue convert(const shim_value &value, const c10::Type &type)
{
    c10::TypeKind kind = type.kind();
    if (kind == c10::TypeKind::OptionalType)
        return value.kind == SHIM_NONE
                   ? c10::IValue()
                   : convert(value, *type.castRaw<c10::OptionalType>()->getElementType());
    if (kind == c10::TypeKind::ListType)
        return convert_list(value, *type.castRaw<c10::ListType>());
    if (kind == c10::TypeKind::TensorType && value.kind >= SHIM_BOOL &&
        value.kind <= SHIM_FLOAT)
        return at::native::wrapped_scalar_tensor(number_of(value));
    switch (value.kind) {
    case SHIM_NONE:
        if (kind == c10::TypeKind::TensorType)
            return at::Tensor(); /* what an optional tensor that is left out becomes */
        break;
    case SHIM_BOOL:
        if (kind == c10::TypeKind::BoolType || kind == c10::TypeKind::NumberType)
            return value.boolean;
        break;
    case SHIM_INT:
        if (kind == c10::TypeKind::FloatType)
            return (double)value.integer;
        if (kind == c10::TypeKind::IntType || kind == c10::TypeKind::SymIntType ||
            kind == c10::TypeKind::NumberType)
            return value.integer;
        break;
    case SHIM_FLOAT:
        if (kind == c10::TypeKind::FloatType || kind == c10::TypeKind::NumberType)
            return value.number;
        break;
    case SHIM_TEXT:
        if (kind == c10::TypeKind::StringType)
            return std::string(value.text);
        break;
    case SHIM_WORD:
        return convert_word(value.text, type);
    case SHIM_TENSOR:
        if (kind == c10::TypeKind::TensorType)
            return value.tensor->tensor;
        break;
    case SHIM_STORAGE:
        if (kind == c10::TypeKind::StorageType)
            return value.tensor->tensor.storage();
        break;
    case SHIM_LIST:
        break;
    }
    mismatch(value, type);
}

/* Puts the arguments into the order of the schema; the rest have defaults. */
torch::jit::Stack arrange(const c10::FunctionSchema &schema, const shim_value *arguments,
                          size_t count)
{
    const auto &declared = schema.arguments();
    std::vector<const shim_value *> given(declared.size());
    for (size_t i = 0; i < count; i++) {
        std::optional<int> place = (int)i;
        if (arguments[i].name != nullptr)
            place = schema.argumentIndexWithName(arguments[i].name);
        if (!place || (size_t)*place >= declared.size())
            misuse(schema.operator_name().name +
                   (place ? " takes fewer arguments than " + std::to_string(count)
                          : std::string(" has no argument ") + arguments[i].name));
        if (given[*place] != nullptr)
            misuse("argument " + declared[*place].name() + " is given twice");
        given[*place] = &arguments[i];
    }
    torch::jit::Stack stack;
    for (size_t i = 0; i < declared.size(); i++) {
        if (given[i] != nullptr)
            stack.push_back(convert(*given[i], *declared[i].real_type()));
        else if (declared[i].default_value())
            stack.push_back(*declared[i].default_value());
        else
            misuse(schema.operator_name().name + " lacks its argument " +
                   declared[i].name());
    }
    return stack;
}

bool has_tensor(const c10::IValue &value)
{
    return value.isTensor() || value.isTensorList() || value.isOptionalTensorList();
}

void make_list(shim_value *out, size_t count)
{
    *out = shim_value{};
    out->kind = SHIM_LIST;
    out->items = static_cast<shim_value *>(calloc(count + 1, sizeof *out->items));
    if (out->items == nullptr)
        throw std::bad_alloc();
    out->count = count;
}

void deliver(shim_value *out, const c10::IValue &value)
{
    *out = shim_value{};
    if (value.isTensor()) {
        if (value.toTensor().defined()) {
            out->tensor = new shim_tensor{value.toTensor()};
            out->kind = SHIM_TENSOR;
        }
    } else if (value.isBool()) {
        out->kind = SHIM_BOOL;
        out->boolean = value.toBool();
    } else if (value.isInt()) {
        out->kind = SHIM_INT;
        out->integer = value.toInt();
    } else if (value.isDouble()) {
        out->kind = SHIM_FLOAT;
        out->number = value.toDouble();
    } else if (value.isList()) {
        c10::ArrayRef<c10::IValue> items = value.toListRef();
        make_list(out, items.size());
        for (size_t i = 0; i < items.size(); i++)
            deliver(&out->items[i], items[i]);
    } else if (!value.isNone()) {
        misuse("a result of type " + value.tagKind() + " is not supported");
    }
}

/* Counts what goes through to the allocator that was there before. */
struct Counting final : c10::Allocator {
    c10::Allocator *before = nullptr;
    std::atomic<uint64_t> requested{0}, live{0}, peak{0};
    std::atomic<bool> fill{false};

    c10::DataPtr allocate(size_t count) override;
    c10::DeleterFnPtr raw_deleter() const override;
    void copy_data(void *to, const void *from, size_t count) const override
    {
        before->copy_data(to, from, count);
    }
};
Counting counting;

void release(void *memory)
{
    counting.live -= malloc_usable_size(memory);
    counting.before->raw_deleter()(memory);
}

c10::DataPtr Counting::allocate(size_t count)
{
    c10::DataPtr inner = before->allocate(count);
    void *memory = inner.release_context();
    requested += count;
    uint64_t now = live += malloc_usable_size(memory);
    for (uint64_t most = peak; most < now && !peak.compare_exchange_weak(most, now);)
        continue;
    if (fill && memory != nullptr)
        memset(memory, SHIM_FILL, count);
    return {memory, memory, &release, c10::Device(c10::kCPU)};
}

c10::DeleterFnPtr Counting::raw_deleter() const
{
    return &release;
}

} // namespace

int shim_tensor_borrow(shim_tensor **out, void *impl, shim_error *error)
{
    return guard(error, [&] {
        auto pointer = c10::intrusive_ptr<c10::TensorImpl>::reclaim_copy(
            static_cast<c10::TensorImpl *>(impl));
        *out = new shim_tensor{at::Tensor(std::move(pointer))};
    });
}

int shim_tensor_share(shim_tensor **out, const shim_tensor *tensor, shim_error *error)
{
    return guard(error, [&] { *out = new shim_tensor{tensor->tensor}; });
}

void shim_tensor_free(shim_tensor *tensor)
{
    guard(nullptr, [&] { delete tensor; });
}

int shim_tensor_info(shim_info *out, const shim_tensor *tensor, shim_error *error)
{
    return guard(error, [&] { look(out, tensor->tensor); });
}

int shim_tensor_new(shim_tensor **out, const void *bytes, size_t count, shim_error *error)
{
    return guard(error, [&] {
        c10::Storage storage(c10::Storage::use_byte_size_t(), (int64_t)count,
                             c10::GetCPUAllocator(), true);
        if (count > 0)
            memcpy(storage.mutable_data(), bytes, count);
        at::Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(
            std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU),
            caffe2::TypeMeta::Make<uint8_t>());
        tensor.unsafeGetTensorImpl()->set_sizes_contiguous({(int64_t)count});
        *out = new shim_tensor{std::move(tensor)};
    });
}

int shim_tensor_view(shim_tensor **out, const shim_tensor *on, const shim_look *look,
                     shim_error *error)
{
    return guard(error, [&] {
        c10::Storage storage = on->tensor.storage();
        c10::ScalarType dtype = dtype_of(look->dtype);
        int64_t last = look->offset;
        bool empty = false;
        for (size_t i = 0; i < look->rank; i++) {
            int64_t reach;
            empty = empty || look->sizes[i] == 0;
            if (look->sizes[i] < 0 || look->strides[i] < 0 ||
                __builtin_mul_overflow(look->sizes[i] - 1, look->strides[i], &reach) ||
                __builtin_add_overflow(last, reach, &last))
                misuse("a tensor that no storage can hold");
        }
        int64_t bytes;
        if (look->offset < 0 || __builtin_add_overflow(last, 1, &last) ||
            __builtin_mul_overflow(last, (int64_t)c10::elementSize(dtype), &bytes) ||
            (!empty && (uint64_t)bytes > storage.nbytes()))
            misuse("a tensor that its storage does not hold");
        at::Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(
            std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU),
            c10::scalarTypeToTypeMeta(dtype));
        c10::TensorImpl *impl = tensor.unsafeGetTensorImpl();
        impl->set_sizes_and_strides({look->sizes, look->rank},
                                    {look->strides, look->rank}, look->offset);
        if (look->counter != nullptr)
            impl->set_version_counter(
                look->counter->tensor.unsafeGetTensorImpl()->version_counter());
        else
            impl->set_version_counter(c10::VariableVersion(look->version));
        if (look->requires_grad)
            tensor.set_requires_grad(true);
        *out = new shim_tensor{std::move(tensor)};
    });
}

void *shim_counter_hold(const shim_tensor *tensor)
{
    void *held = nullptr;
    guard(nullptr, [&] {
        if (counter_of(tensor->tensor) != nullptr)
            held = new c10::VariableVersion(
                tensor->tensor.unsafeGetTensorImpl()->version_counter());
    });
    return held;
}

void shim_counter_free(void *held)
{
    guard(nullptr, [&] { delete static_cast<c10::VariableVersion *>(held); });
}

int shim_call(shim_value *results, const char *name, const char *overload,
              const shim_value *arguments, size_t count, shim_error *error)
{
    *results = shim_value{};
    int status = guard(error, [&] {
        c10::OperatorHandle op = find(name, overload);
        torch::jit::Stack stack = arrange(op.schema(), arguments, count);
        /* Python calls factories below autograd: what they write first is no new version.
         */
        std::optional<at::AutoDispatchBelowADInplaceOrView> below;
        if (std::none_of(stack.begin(), stack.end(), has_tensor))
            below.emplace();
        op.callBoxed(stack);
        make_list(results, stack.size());
        for (size_t i = 0; i < stack.size(); i++)
            deliver(&results->items[i], stack[i]);
    });
    if (status != 0)
        shim_results_free(results);
    return status;
}

void shim_results_free(shim_value *results)
{
    for (size_t i = 0; i < results->count; i++)
        shim_results_free(&results->items[i]);
    free(results->items);
    shim_tensor_free(results->tensor);
    *results = shim_value{};
}

int shim_schema_of(shim_schema *out, const char *name, const char *overload,
                   shim_error *error)
{
    return guard(error, [&] {
        *out = shim_schema{};
        c10::OperatorHandle op = find(name, overload);
        const c10::FunctionSchema &schema = op.schema();
        size_t inputs = schema.arguments().size(), outputs = schema.returns().size();
        if (inputs > SHIM_MAX_PARTS || outputs > SHIM_MAX_PARTS)
            misuse(schema.operator_name().name + " has more than 64 arguments");
        snprintf(out->text, sizeof out->text, "%s", toString(schema).c_str());
        out->narguments = inputs;
        out->nresults = outputs;
        for (size_t i = 0; i < inputs; i++) {
            const c10::SchemaArgument input(c10::SchemaArgType::input, i);
            out->names[i] = schema.arguments()[i].name().c_str();
            out->writes[i] = schema.is_mutable(input);
            for (size_t j = 0; j < outputs; j++)
                if (schema.may_contain_alias({c10::SchemaArgType::output, j}, input))
                    out->aliases[j] |= (uint64_t)1 << i;
        }
    });
}

int shim_memory_install(shim_error *error)
{
    return guard(error, [&] {
        if (counting.before != nullptr)
            return;
        counting.before = c10::GetCPUAllocator();
        if (counting.before->raw_deleter() == nullptr)
            misuse("the CPU allocator of this PyTorch cannot be put behind another");
        c10::SetCPUAllocator(&counting, 255);
    });
}

shim_memory shim_memory_now(void)
{
    return {counting.requested, counting.live, counting.peak};
}

void shim_memory_mark(void)
{
    counting.peak = counting.live.load();
}

void shim_memory_fill(bool fill)
{
    counting.fill = fill;
}

int shim_seed(uint64_t seed, shim_error *error)
{
    return guard(error, [&] {
        at::Generator generator = at::detail::getDefaultCPUGenerator();
        std::lock_guard<std::mutex> hold(generator.mutex());
        generator.set_current_seed(seed);
    });
}

int shim_generator_set(const void *state, size_t count, shim_error *error)
{
    return guard(error, [&] {
        shim_tensor *bytes = nullptr;
        if (shim_tensor_new(&bytes, state, count, error) != 0)
            misuse("there is no memory for the state of a generator");
        std::unique_ptr<shim_tensor, void (*)(shim_tensor *)> owner(bytes,
                                                                    shim_tensor_free);
        at::Generator generator = at::detail::getDefaultCPUGenerator();
        std::lock_guard<std::mutex> hold(generator.mutex());
        generator.set_state(bytes->tensor);
    });
}

int shim_default_dtype(const char *dtype, shim_error *error)
{
    return guard(error, [&] {
        c10::set_default_dtype(c10::scalarTypeToTypeMeta(dtype_of(dtype)));
    });
}

int shim_threads(int count, shim_error *error)
{
    return guard(error, [&] { at::set_num_threads(count); });
}

const char *shim_version(void)
{
    return TORCH_VERSION;
}

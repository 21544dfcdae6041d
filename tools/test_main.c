/* The main of every unit test: a test file defines parity_test_suite(). */
#include "tools/test_main.h"

#include <stdlib.h>

int main(void)
{
    SRunner *runner = srunner_create(parity_test_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

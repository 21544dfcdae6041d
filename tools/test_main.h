#ifndef PARITY_TOOLS_TEST_MAIN_H
#define PARITY_TOOLS_TEST_MAIN_H

#include <check.h>

Suite *parity_test_suite(void); /* defined by the test file */

#endif

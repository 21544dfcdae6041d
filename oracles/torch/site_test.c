#include "oracles/torch/site.h"

#include "tools/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];

static void set_up(void)
{
    strcpy(root, "/tmp/parity-site-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
}

static void tear_down(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    ck_assert_int_eq(system(command), 0);
}

/* Writes a file below the root, with the folders it needs. Returns its path, good until
 * the next call. */
static const char *put(const char *name, const char *text)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    chmod(path, 0700);
    return path;
}

static void expect(const char *python, const char *version)
{
    parity_error error = {0};
    char *found = NULL;
    int status = torch_site_version(&found, python, &error);
    if (version == NULL) {
        ck_assert_int_eq(status, -1);
        return;
    }
    ck_assert_msg(status == 0, "%s", error.message);
    ck_assert_str_eq(found, version);
    free(found);
}

static const char TEXT[] = "from typing import Optional\n\n__all__ = ['__version__']\n"
                           "__version__ = '2.15.0+cu132'\ndebug = False\n";

START_TEST(finds_it_wherever_packages_lie)
{
    static const char *const places[] = {
        "lib/python3.11/site-packages",       "lib64/python3.9/site-packages",
        "local/lib/python3.11/dist-packages", "lib/python3/dist-packages",
        "lib/python3.13/site-packages",
    };
    char name[128], python[512];
    snprintf(name, sizeof name, "usr/%s/torch/version.py", places[_i]);
    put(name, TEXT);
    strcpy(python, put("usr/bin/python3", ""));
    expect(python, "2.15.0+cu132");
}
END_TEST

START_TEST(double_quotes_and_no_build)
{
    put("v/lib/python3.9/site-packages/torch/version.py", "__version__ = \"1.13.1\"\n");
    expect(put("v/bin/python", ""), "1.13.1");
}
END_TEST

START_TEST(says_what_to_do_when_there_is_none)
{
    parity_error error = {0};
    char *version;
    const char *python = put("v/bin/python", "");
    ck_assert_int_eq(torch_site_version(&version, python, &error), -1);
    ck_assert_ptr_nonnull(strstr(error.message, python));
    ck_assert_ptr_nonnull(strstr(error.message, "pip install torch"));
    ck_assert_int_eq(torch_site_version(&version, "/nowhere/python", &error), -1);
    ck_assert_ptr_nonnull(strstr(error.message, "/nowhere/python"));
}
END_TEST

/* An environment sees the packages of its interpreter only if it says so. */
START_TEST(environments_that_include_the_system)
{
    char settings[256];
    put("usr/lib/python3/dist-packages/torch/version.py", TEXT);
    put("usr/bin/python3", "");
    snprintf(settings, sizeof settings,
             "home = %s/usr/bin\ninclude-system-site-packages = %s\nversion = 3.11.7\n",
             root, _i ? "true" : "false");
    put("venv/pyvenv.cfg", settings);
    const char *python = put("venv/bin/python", "");
    expect(python, _i ? "2.15.0+cu132" : NULL);
    char *version = torch_site_python(python);
    ck_assert_str_eq(version, "3.11.7");
    free(version);
}
END_TEST

START_TEST(follows_a_link_outside_environments)
{
    char link[512];
    put("opt/py/lib/python3.12/site-packages/torch/version.py", TEXT);
    strcpy(link, put("usr/bin/other", ""));
    strcpy(strrchr(link, '/'), "/python3");
    ck_assert_int_eq(symlink(put("opt/py/bin/python3.12", ""), link), 0);
    expect(link, "2.15.0+cu132");
}
END_TEST

START_TEST(version_of_python_from_the_folder)
{
    put("v/lib/python3.12/site-packages/torch/version.py", TEXT);
    char *version = torch_site_python(put("v/bin/python", ""));
    ck_assert_str_eq(version, "3.12");
    free(version);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("torch site");
    TCase *tests = tcase_create("all");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, finds_it_wherever_packages_lie, 0, 5);
    tcase_add_test(tests, double_quotes_and_no_build);
    tcase_add_test(tests, says_what_to_do_when_there_is_none);
    tcase_add_loop_test(tests, environments_that_include_the_system, 0, 2);
    tcase_add_test(tests, follows_a_link_outside_environments);
    tcase_add_test(tests, version_of_python_from_the_folder);
    suite_add_tcase(suite, tests);
    return suite;
}

/* Reading and writing whole files: limits, atomic replacement, modes, full devices,
 * pipes. */
#include "support.h"

#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder {
    char path[64];
};

static int make_folder(void **state)
{
    struct folder *folder = malloc(sizeof *folder);

    strcpy(folder->path, "/tmp/sonde-files-XXXXXX");
    *state = folder;
    return mkdtemp(folder->path) != NULL ? 0 : -1;
}

static const char *inside(void **state, const char *name, char *out, size_t size)
{
    snprintf(out, size, "%s/%s", ((struct folder *)*state)->path, name);
    return out;
}

/* Removes the folder and what is in it; returns how many entries there were. */
static unsigned empty_folder(const char *path)
{
    DIR *folder = opendir(path);
    unsigned count = 0;

    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        unlinkat(dirfd(folder), entry->d_name, 0);
        count++;
    }
    closedir(folder);
    return count;
}

static int remove_folder(void **state)
{
    struct folder *folder = *state;

    empty_folder(folder->path);
    rmdir(folder->path);
    free(folder);
    return 0;
}

static void expect_content(const char *path, const char *expected)
{
    char *data = NULL;
    size_t length = 0;

    assert_int_equal(sonde_base_read_file(path, 1 << 20, &data, &length), 0);
    assert_int_equal(length, strlen(expected));
    assert_string_equal(data, expected);
    free(data);
}

static mode_t mode_of(const char *path)
{
    struct stat status;

    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

static void test_read_limits(void **state)
{
    char path[128], *data = NULL;
    size_t length = 77;

    inside(state, "ten", path, sizeof path);
    assert_int_equal(sonde_base_write_file(path, "0123456789", 10, NULL), 0);
    assert_int_equal(sonde_base_read_file(path, 9, &data, &length), -EFBIG);
    assert_null(data);
    assert_int_equal(length, 77);
    assert_int_equal(sonde_base_read_file(path, 10, &data, &length), 0);
    assert_int_equal(length, 10);
    free(data);
    data = NULL;
    assert_int_equal(sonde_base_read_file("/dev/zero", 1 << 16, &data, NULL), -EFBIG);
    assert_int_equal(sonde_base_read_file("/no/such/file", 10, &data, NULL), -ENOENT);
    assert_int_equal(sonde_base_read_file("/tmp", 10, &data, NULL), -EISDIR);
}

static void test_read_empty_and_proc(void **state)
{
    char path[128], *data = NULL;
    size_t length = 77;

    inside(state, "empty", path, sizeof path);
    assert_int_equal(sonde_base_write_file(path, "", 0, NULL), 0);
    expect_content(path, "");
    assert_int_equal(sonde_base_read_file("/proc/self/status", 1 << 20, &data, &length),
                     0);
    assert_true(length > 100 && strlen(data) == length);
    free(data);
}

static void test_read_line(void **state)
{
    char path[128], line[8];

    inside(state, "lines", path, sizeof path);
    assert_int_equal(sonde_base_write_file(path, "one\ntwo\n", 8, NULL), 0);
    assert_int_equal(sonde_base_read_line(path, line, sizeof line), 0);
    assert_string_equal(line, "one");
    assert_int_equal(sonde_base_write_file(path, "0123456789", 10, NULL), 0);
    assert_int_equal(sonde_base_read_line(path, line, sizeof line), 0);
    assert_string_equal(line, "0123456");
    assert_int_equal(sonde_base_read_line("/no/such/file", line, sizeof line), -ENOENT);
    assert_string_equal(line, "");
}

static void test_replace(void **state)
{
    char path[128];
    mode_t mask = umask(027);

    inside(state, "file", path, sizeof path);
    assert_int_equal(sonde_base_write_file(path, "first", 5, NULL), 0);
    umask(mask);
    assert_int_equal(mode_of(path), 0640);
    assert_int_equal(chmod(path, 0604), 0);
    assert_int_equal(sonde_base_write_file(path, "second one", 10, NULL), 0);
    assert_int_equal(mode_of(path), 0604);
    expect_content(path, "second one");
    assert_int_equal(empty_folder(((struct folder *)*state)->path), 1);
}

/* A reader that opened the old file goes on seeing the old file, whole. */
static void test_old_reader_sees_old_file(void **state)
{
    char path[128], old[4] = "";
    int reader;

    inside(state, "file", path, sizeof path);
    assert_int_equal(sonde_base_write_file(path, "old", 3, NULL), 0);
    reader = open(path, O_RDONLY);
    assert_int_equal(sonde_base_write_file(path, "new", 3, NULL), 0);
    assert_int_equal(read(reader, old, 3), 3);
    close(reader);
    assert_string_equal(old, "old");
    expect_content(path, "new");
}

static void test_links_are_followed(void **state)
{
    char path[128], link[128];
    struct stat status;

    inside(state, "target", path, sizeof path);
    inside(state, "link", link, sizeof link);
    assert_int_equal(symlink("target", link), 0);
    assert_int_equal(sonde_base_write_file(link, "one", 3, NULL), 0);
    expect_content(path, "one");
    assert_int_equal(sonde_base_write_file(link, "two", 3, NULL), 0);
    expect_content(path, "two");
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
}

static void test_full_device(void **state)
{
    struct message why = {""};
    struct stat status;

    (void)state;
    assert_int_equal(sonde_base_write_file("/dev/full", "x", 1, &why), -ENOSPC);
    assert_non_null(strstr(why.text, "/dev/full"));
    assert_int_equal(stat("/dev/full", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(sonde_base_write_file("/dev/null", "x", 1, &why), 0);
}

static void test_failures_name_the_file(void **state)
{
    struct message why = {""};
    char path[128];

    assert_int_equal(sonde_base_write_file("/no/such/dir/x", "x", 1, &why), -ENOENT);
    assert_non_null(strstr(why.text, "/no/such/dir/x"));
    assert_int_equal(sonde_base_write_file(((struct folder *)*state)->path, "x", 1, &why),
                     -EISDIR);
    inside(state, "file", path, sizeof path);
    assert_int_equal(sonde_base_write_file(path, "", 0, NULL), 0);
    strcat(path, "/x");
    assert_int_equal(sonde_base_write_file(path, "x", 1, &why), -ENOTDIR);
}

static void ignore_signal(int number)
{
    (void)number;
}

/* A file size limit cuts the write short and then fails it: what was there stays, and no
 * temporary file is left. Run in a child, since the limit cannot be raised again. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void test_failed_write_leaves_nothing(void **state)
{
    enum { SIZE = 100000 };
    char path[128], *data = calloc(1, SIZE);
    int status = 0;
    pid_t child;

    inside(state, "file", path, sizeof path);
    assert_int_equal(sonde_base_write_file(path, "kept", 4, NULL), 0);
    child = fork();
    if (child == 0) {
        const struct rlimit limit = {1000, 1000};

        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(sonde_base_write_file(path, data, SIZE, NULL) == -EFBIG ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    free(data);
    expect_content(path, "kept");
    assert_int_equal(empty_folder(((struct folder *)*state)->path), 1);
}

struct drain {
    const char *path;
    pthread_t writer;
    size_t count;
    unsigned char sum;
};

/* Reads slowly, and interrupts the writer with a signal before each read. */
static void *drain_pipe(void *argument)
{
    struct drain *drain = argument;
    int file = open(drain->path, O_RDONLY);
    unsigned char block[5000];
    ssize_t count;

    do {
        pthread_kill(drain->writer, SIGUSR1);
        usleep(200);
        count = read(file, block, sizeof block);
        for (ssize_t i = 0; i < count; i++)
            drain->sum = (unsigned char)(drain->sum + block[i]);
        drain->count += count > 0 ? (size_t)count : 0;
    } while (count > 0);
    close(file);
    return NULL;
}

/* Far more than a pipe holds: short and interrupted writes happen, nothing is lost. */
static void test_pipe_in_place(void **state)
{
    enum { SIZE = 1000003 };
    char path[128], *data = malloc(SIZE);
    struct drain drain = {.path = path, .writer = pthread_self()};
    struct sigaction action = {.sa_handler = ignore_signal}; /* without SA_RESTART */
    unsigned char sum = 0;
    struct stat status;
    pthread_t reader;

    for (size_t i = 0; i < SIZE; i++) {
        data[i] = (char)(i * 7);
        sum = (unsigned char)(sum + i * 7);
    }
    inside(state, "pipe", path, sizeof path);
    assert_int_equal(mkfifo(path, 0600), 0);
    sigaction(SIGUSR1, &action, NULL);
    assert_int_equal(pthread_create(&reader, NULL, drain_pipe, &drain), 0);
    assert_int_equal(sonde_base_write_file(path, data, SIZE, NULL), 0);
    signal(SIGUSR1, SIG_IGN);
    pthread_join(reader, NULL);
    assert_int_equal(drain.count, SIZE);
    assert_int_equal(drain.sum, sum);
    assert_int_equal(stat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    free(data);
}

/* Standard output, here a pipe set non-blocking, as a parent may have left it. */
static void test_standard_output(void **state)
{
    enum { SIZE = 300000 };
    char path[128], *data = calloc(1, SIZE);
    struct drain drain = {.path = path, .writer = pthread_self()};
    int kept = dup(STDOUT_FILENO), file, result;
    pthread_t reader;

    signal(SIGUSR1, SIG_IGN);
    inside(state, "pipe", path, sizeof path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(pthread_create(&reader, NULL, drain_pipe, &drain), 0);
    file = open(path, O_WRONLY);
    assert_int_equal(fcntl(file, F_SETFL, O_NONBLOCK), 0);
    fflush(stdout);
    dup2(file, STDOUT_FILENO);
    close(file);
    result = sonde_base_write_file("-", data, SIZE, NULL);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    pthread_join(reader, NULL);
    assert_int_equal(result, 0);
    assert_int_equal(drain.count, SIZE);
    free(data);
}

static void test_closed_standard_output(void **state)
{
    struct message why = {""};
    int kept = dup(STDOUT_FILENO), result;

    (void)state;
    fflush(stdout);
    close(STDOUT_FILENO);
    result = sonde_base_write_file("-", "x", 1, &why);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    assert_int_equal(result, -EBADF);
    assert_non_null(strstr(why.text, "standard output"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_read_limits),
        TEST(test_read_empty_and_proc),
        TEST(test_read_line),
        TEST(test_replace),
        TEST(test_old_reader_sees_old_file),
        TEST(test_links_are_followed),
        TEST(test_full_device),
        TEST(test_failures_name_the_file),
        TEST(test_failed_write_leaves_nothing),
        TEST(test_pipe_in_place),
        TEST(test_standard_output),
        TEST(test_closed_standard_output),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Small files, read and written whole.
 *
 * Reading asks until the end is reached, since /proc and /sys announce a size of 0.
 * Writing goes to a temporary name beside the target, is flushed, and is then renamed
 * over it: a reader sees the old file or the new one. Devices and pipes have no such
 * thing and are written in place. A symbolic link is followed, so that it is the file
 * behind it that gets replaced. The temporary file is created with the usual mode, so the
 * umask holds, and takes the mode of a file that it replaces.
 *
 * What can fool it: a short write, an interrupted one, a full disk that shows only at
 * fsync or close (network file systems), a standard output that someone set non-blocking.
 * Each is handled or reported. */
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_file(const char *path, int flags)
{
    int file;

    do
        file = open(path, flags | O_CLOEXEC, 0666);
    while (file < 0 && errno == EINTR);
    return file < 0 ? -errno : file;
}

static ssize_t read_some(int file, char *data, size_t size)
{
    ssize_t count;

    do
        count = read(file, data, size);
    while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

/* Appends all that `file` still holds; -EFBIG beyond `limit` bytes. */
static int read_all(int file, size_t limit, struct text *text)
{
    char block[4096];

    for (;;) {
        ssize_t count = read_some(file, block, sizeof block);

        if (count < 0)
            return (int)count;
        if ((size_t)count > limit - text->length)
            return -EFBIG;
        sonde_base_text_append(text, block, (size_t)count);
        if (text->failed)
            return -ENOMEM;
        if (count == 0)
            return 0;
    }
}

int sonde_base_read_file(const char *path, size_t limit, char **data, size_t *length)
{
    struct text text = {0};
    int file = open_file(path, O_RDONLY);
    int result;

    if (file < 0)
        return file;
    result = read_all(file, limit, &text);
    close(file);
    if (result < 0) {
        sonde_base_text_free(&text);
        return result;
    }
    *data = text.data;
    if (length != NULL)
        *length = text.length;
    return 0;
}

int sonde_base_read_line(const char *path, char *line, size_t size)
{
    size_t length = 0;
    ssize_t count;
    int file;

    if (size == 0)
        return -EINVAL;
    line[0] = '\0';
    file = open_file(path, O_RDONLY);
    if (file < 0)
        return file;
    do {
        count = read_some(file, line + length, size - 1 - length);
        if (count > 0)
            length += (size_t)count;
    } while (count > 0 && memchr(line, '\n', length) == NULL);
    close(file);
    line[length] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return count < 0 ? (int)count : 0;
}

static int write_all(int file, const char *data, size_t length)
{
    while (length > 0) {
        ssize_t count = write(file, data, length);

        if (count < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = file, .events = POLLOUT};

            poll(&ready, 1, -1);
        } else if (count < 0 && errno != EINTR) {
            return -errno;
        } else if (count > 0) {
            data += count;
            length -= (size_t)count;
        }
    }
    return 0;
}

/* Closes and keeps the first error. On Linux the descriptor is gone even after EINTR. */
static int close_checked(int file, int result)
{
    if (close(file) < 0 && errno != EINTR && result == 0)
        return -errno;
    return result;
}

static int write_in_place(const char *path, int flags, const char *data, size_t length)
{
    int file = open_file(path, O_WRONLY | flags);

    if (file < 0)
        return file;
    return close_checked(file, write_all(file, data, length));
}

/* Some file systems have no fsync and say EINVAL; that is no failure of the write. */
static int flush(int file)
{
    while (fsync(file) < 0) {
        if (errno == EINVAL || errno == ENOTSUP)
            return 0;
        if (errno != EINTR)
            return -errno;
    }
    return 0;
}

/* Opens a new file beside `path`; `name` becomes its name. mkstemp would set a mode of
 * 0600 and pass over the umask. */
static int open_beside(const char *path, struct text *name)
{
    int file = -EEXIST;

    for (unsigned attempt = 0; file == -EEXIST && attempt < 100; attempt++) {
        name->length = 0;
        sonde_base_text_print(name, "%s.%ld-%u.tmp", path, (long)getpid(), attempt);
        if (name->failed)
            return -ENOMEM;
        file = open_file(name->data, O_WRONLY | O_CREAT | O_EXCL);
    }
    return file;
}

/* `former` describes the file that gets replaced, or is NULL. */
static int replace_file(const char *path, const struct stat *former, const char *data,
                        size_t length)
{
    struct text name = {0};
    int result, file;

    if (former != NULL && access(path, W_OK) < 0)
        return -errno;
    file = open_beside(path, &name);
    if (file < 0) {
        result = file;
        goto out;
    }
    result = write_all(file, data, length);
    if (result == 0 && former != NULL && fchmod(file, former->st_mode & 07777) < 0)
        result = -errno;
    if (result == 0)
        result = flush(file);
    result = close_checked(file, result);
    if (result == 0 && rename(name.data, path) < 0)
        result = -errno;
    if (result < 0)
        unlink(name.data);
out:
    sonde_base_text_free(&name);
    return result;
}

static int write_named(const char *path, const char *data, size_t length)
{
    struct stat status;
    char *target;
    int result;

    if (stat(path, &status) < 0) {
        if (errno != ENOENT)
            return -errno;
        if (lstat(path, &status) ==
            0) /* a link to nothing yet: made by going through it */
            return write_in_place(path, O_CREAT | O_TRUNC, data, length);
        return replace_file(path, NULL, data, length);
    }
    if (!S_ISREG(status.st_mode))
        return write_in_place(path, 0, data, length);
    target = realpath(path, NULL);
    if (target == NULL)
        return -errno;
    result = replace_file(target, &status, data, length);
    free(target);
    return result;
}

/* Names of this process's standard output; when it is redirected to a file, replacing
 * that file would part it from the descriptor. */
static bool is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
           strcmp(path, "/dev/fd/1") == 0 || strcmp(path, "/proc/self/fd/1") == 0;
}

int sonde_base_write_file(const char *path, const char *data, size_t length,
                          struct message *why)
{
    int result;

    if (is_standard_output(path)) {
        result = write_all(STDOUT_FILENO, data, length);
        path = "standard output";
    } else {
        result = write_named(path, data, length);
    }
    if (result < 0)
        return sonde_base_fail(why, result, "cannot write %s: %s", path,
                               strerror(-result));
    return 0;
}

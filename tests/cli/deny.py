"""Runs a program under a filter that answers some system calls with an errno.

usage: deny.py ERRNO CALL[,CALL...] PROGRAM [ARGUMENT...]
"""
import ctypes
import errno
import os
import platform
import struct
import sys

# Numbers of linux/unistd.h.
NUMBERS = {"x86_64": {"eventfd2": 290, "pipe2": 293, "pipe": 22, "rt_tgsigqueueinfo": 297,
                      "sched_setaffinity": 203},
           "aarch64": {"eventfd2": 19, "pipe2": 59, "rt_tgsigqueueinfo": 240,
                       "sched_setaffinity": 122}}
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO = 0x7fff0000, 0x00050000
LOAD_WORD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06

numbers = NUMBERS.get(platform.machine())
if numbers is None:
    print("skipped: the numbers of system calls are not known here")
    sys.exit(77)
denied = [numbers[name] for name in sys.argv[2].split(",") if name in numbers]
code = [(LOAD_WORD, 0, 0, 0)]  # the number is the first word of seccomp_data
for number in denied:
    code += [(JUMP_EQUAL, 0, 1, number),
             (RETURN, 0, 0, SECCOMP_RET_ERRNO | getattr(errno, sys.argv[1]))]
code.append((RETURN, 0, 0, SECCOMP_RET_ALLOW))
filters = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code),
                                                  ctypes.addressof(filters)))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or \
        libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0):
    print("skipped: no filter can be set here:", os.strerror(ctypes.get_errno()))
    sys.exit(77)
os.execvp(sys.argv[3], sys.argv[3:])

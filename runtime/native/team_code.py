"""The machine code of a team of threads: how work is announced, claimed, done and waited for.

    open(team)                                        the memory of a team, all zeros, is made one
    serve(team)                                       what a thread of the team does
    run(team, function, words, size, count, rouse)    function(words + k * size) for all k < count
    look(team, count)                                 what a thread without work does, so often
    close(team)                                       the threads return
    share_call(job, table)                            does a job that was made ready, see below
    share_again(job, input, output)                   the same with a table of two addresses
    word_at(array, k), put_word(array, k, word)       element k of an array that jobs know
    int8_at(array, k), put_int8(array, k, word), …    one of 8, 16 or 32 bits, the lowest of a word

A thread without work looks for some a while, so that the next call finds it awake, and then parks
on a condition variable, where it costs nothing; `rouse` says whether a job is worth waking it.
Whoever calls `run` takes part: a thread that the system has not got running is not waited for,
unless it has begun a piece. While the team is at work, other calls of `run` (of other threads, or
of a piece) do all of theirs themselves.

The ticket has the number of the job in its upper half, and two counters of 16 bits below: pieces
from `head` to before `tail` are left. The caller takes the last, the others the first, so that
equal jobs give each thread about the same pieces. A piece is claimed by exchanging the whole
ticket, which fails once the job is another: what was read of the job before is then forgotten.

A job that machine code does many times lies in memory: the team, or nothing if one thread does all,
the function, the words, their size, how many pieces there are, and whether the job is worth waking
threads. Then comes how many of the words are others each time, and for each of these where it goes
in the words of every piece and the number of the word of the table that it is: addresses of arrays,
and numbers. Only one thread at a time may do such a job. Between jobs the machine code reads and
writes elements of their arrays by address: to its own loads each array is one that nothing else
knows.

This is LLVM IR written by hand, other than the loops over arrays that the runtime has (`loops/`).
A team consists of atomic exchanges, atomic loads, and calls of functions by their address: the
`llvm` dialect of xDSL has none of the first, its back end neither of the others, and passes made
for this alone would say the same at greater length.
"""

from __future__ import annotations

import platform

SIZE = 1024
"""The bytes of a team, which begins at a multiple of 128: its parts have cache lines of their own.

The ticket comes first.
"""
_UNFINISHED, _JOB, _BUSY, _STATE, _MUTEX, _WORK, _DONE = range(128, SIZE, 128)
# A job is a function, the words, and their size. The state is how many threads are parked, whether
# the team is closed, whether the caller is parked, and how often threads look before they park.
PARKED, _CLOSED, _WAITS, LOOKS = range(_STATE, _STATE + 32, 8)
MOST_PIECES = (1 << 16) - 1
"""How many pieces a job may have."""

PAUSES = {"x86_64": "pause", "AMD64": "pause", "aarch64": "yield", "arm64": "yield"}
"""What a thread does between two looks, by the machine."""

_CODE = """
declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_init(ptr, ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_broadcast(ptr)

define void @open(ptr %team) {
  %mutex = getelementptr i8, ptr %team, i64 MUTEX
  %work = getelementptr i8, ptr %team, i64 WORK
  %done = getelementptr i8, ptr %team, i64 DONE
  %1 = call i32 @pthread_mutex_init(ptr %mutex, ptr null)
  %2 = call i32 @pthread_cond_init(ptr %work, ptr null)
  %3 = call i32 @pthread_cond_init(ptr %done, ptr null)
  ret void
}

define internal void @wake(ptr %team, ptr %condition) {
  %mutex = getelementptr i8, ptr %team, i64 MUTEX
  %1 = call i32 @pthread_mutex_lock(ptr %mutex)
  %2 = call i32 @pthread_cond_broadcast(ptr %condition)
  %3 = call i32 @pthread_mutex_unlock(ptr %mutex)
  ret void
}

define void @close(ptr %team) {
  %closed_place = getelementptr i8, ptr %team, i64 CLOSED
  store atomic i64 1, ptr %closed_place seq_cst, align 8
  %work = getelementptr i8, ptr %team, i64 WORK
  call void @wake(ptr %team, ptr %work)
  ret void
}

; Claim a piece of the job that the ticket is of and do it. The result is whether there was one.
define internal i1 @take(ptr %team, i1 %from_end) {
entry:
  br label %look
look:
  %ticket = load atomic i64, ptr %team acquire, align 8
  %head = and i64 %ticket, 65535
  %upper = lshr i64 %ticket, 16
  %tail = and i64 %upper, 65535
  %left = icmp ult i64 %head, %tail
  br i1 %left, label %claim, label %none
claim:
  %function_place = getelementptr i8, ptr %team, i64 JOB
  %words_place = getelementptr i8, ptr %function_place, i64 8
  %size_place = getelementptr i8, ptr %function_place, i64 16
  %function = load atomic ptr, ptr %function_place monotonic, align 8
  %words = load atomic ptr, ptr %words_place monotonic, align 8
  %size = load atomic i64, ptr %size_place monotonic, align 8
  %last = sub i64 %tail, 1
  %piece = select i1 %from_end, i64 %last, i64 %head
  %step = select i1 %from_end, i64 -65536, i64 1
  %less = add i64 %ticket, %step
  %exchange = cmpxchg ptr %team, i64 %ticket, i64 %less acq_rel acquire
  %claimed = extractvalue { i64, i1 } %exchange, 1
  br i1 %claimed, label %do, label %look
do:
  %offset = mul i64 %piece, %size
  %argument = getelementptr i8, ptr %words, i64 %offset
  call void %function(ptr %argument)
  %unfinished_place = getelementptr i8, ptr %team, i64 UNFINISHED
  %before = atomicrmw sub ptr %unfinished_place, i64 1 seq_cst
  %finished = icmp eq i64 %before, 1
  br i1 %finished, label %all, label %some
all:
  %waits_place = getelementptr i8, ptr %team, i64 WAITS
  %waits = load atomic i64, ptr %waits_place seq_cst, align 8
  %awaited = icmp ne i64 %waits, 0
  br i1 %awaited, label %tell, label %some
tell:
  %done = getelementptr i8, ptr %team, i64 DONE
  call void @wake(ptr %team, ptr %done)
  br label %some
some:
  ret i1 true
none:
  ret i1 false
}

define void @look(ptr %team, i64 %count) {
entry:
  br label %try
try:
  %k = phi i64 [ 0, %entry ], [ %next, %spin ]
  %did = call i1 @take(ptr %team, i1 false)
  %next = add i64 %k, 1
  %again = icmp slt i64 %next, %count
  br i1 %again, label %spin, label %end
spin:
  call void asm sideeffect "PAUSE", "~{memory}"()
  br label %try
end:
  ret void
}

define void @serve(ptr %team) {
entry:
  %mutex = getelementptr i8, ptr %team, i64 MUTEX
  %work = getelementptr i8, ptr %team, i64 WORK
  %parked_place = getelementptr i8, ptr %team, i64 PARKED
  %closed_place = getelementptr i8, ptr %team, i64 CLOSED
  %looks_place = getelementptr i8, ptr %team, i64 LOOKS
  br label %ready
ready:
  %looks = load atomic i64, ptr %looks_place monotonic, align 8
  br label %try
try:
  %k = phi i64 [ 0, %ready ], [ %next, %spin ]
  %did = call i1 @take(ptr %team, i1 false)
  br i1 %did, label %ready, label %idle
idle:
  %next = add i64 %k, 1
  %again = icmp slt i64 %next, %looks
  br i1 %again, label %spin, label %park
spin:
  call void asm sideeffect "PAUSE", "~{memory}"()
  br label %try
park:
  %1 = call i32 @pthread_mutex_lock(ptr %mutex)
  %2 = atomicrmw add ptr %parked_place, i64 1 seq_cst
  br label %check
check:
  %closed = load atomic i64, ptr %closed_place seq_cst, align 8
  %ends = icmp ne i64 %closed, 0
  br i1 %ends, label %leave, label %open
open:
  %ticket = load atomic i64, ptr %team seq_cst, align 8
  %head = and i64 %ticket, 65535
  %upper = lshr i64 %ticket, 16
  %tail = and i64 %upper, 65535
  %left = icmp ult i64 %head, %tail
  br i1 %left, label %leave, label %sleep
sleep:
  %3 = call i32 @pthread_cond_wait(ptr %work, ptr %mutex)
  br label %check
leave:
  %4 = atomicrmw sub ptr %parked_place, i64 1 seq_cst
  %5 = call i32 @pthread_mutex_unlock(ptr %mutex)
  br i1 %ends, label %end, label %ready
end:
  ret void
}

define void @run(ptr %team, ptr %function, ptr %words, i64 %size, i64 %count, i1 %rouse) {
entry:
  %mutex = getelementptr i8, ptr %team, i64 MUTEX
  %done = getelementptr i8, ptr %team, i64 DONE
  %unfinished_place = getelementptr i8, ptr %team, i64 UNFINISHED
  %function_place = getelementptr i8, ptr %team, i64 JOB
  %words_place = getelementptr i8, ptr %function_place, i64 8
  %size_place = getelementptr i8, ptr %function_place, i64 16
  %busy_place = getelementptr i8, ptr %team, i64 BUSY
  %parked_place = getelementptr i8, ptr %team, i64 PARKED
  %waits_place = getelementptr i8, ptr %team, i64 WAITS
  %looks_place = getelementptr i8, ptr %team, i64 LOOKS
  %looks = load atomic i64, ptr %looks_place monotonic, align 8
  %acquired = cmpxchg ptr %busy_place, i64 0, i64 1 acq_rel monotonic
  %mine = extractvalue { i64, i1 } %acquired, 1
  br i1 %mine, label %announce, label %alone
announce:
  store atomic ptr %function, ptr %function_place monotonic, align 8
  store atomic ptr %words, ptr %words_place monotonic, align 8
  store atomic i64 %size, ptr %size_place monotonic, align 8
  store atomic i64 %count, ptr %unfinished_place monotonic, align 8
  %old = load atomic i64, ptr %team monotonic, align 8
  %number = lshr i64 %old, 32
  %next_number = add i64 %number, 1
  %upper = shl i64 %next_number, 32
  %pieces = shl i64 %count, 16
  %ticket = or i64 %upper, %pieces
  store atomic i64 %ticket, ptr %team seq_cst, align 8
  %parked = load atomic i64, ptr %parked_place seq_cst, align 8
  %asleep = icmp ne i64 %parked, 0
  %called = and i1 %asleep, %rouse
  br i1 %called, label %call, label %work
call:
  %work_place = getelementptr i8, ptr %team, i64 WORK
  call void @wake(ptr %team, ptr %work_place)
  br label %work
work:
  %did = call i1 @take(ptr %team, i1 true)
  br i1 %did, label %work, label %wait
wait:
  %k = phi i64 [ 0, %work ], [ %next, %spin ]
  %unfinished = load atomic i64, ptr %unfinished_place acquire, align 8
  %over = icmp eq i64 %unfinished, 0
  br i1 %over, label %free, label %idle
idle:
  %next = add i64 %k, 1
  %again = icmp slt i64 %next, %looks
  br i1 %again, label %spin, label %park
spin:
  call void asm sideeffect "PAUSE", "~{memory}"()
  br label %wait
park:
  %1 = call i32 @pthread_mutex_lock(ptr %mutex)
  store atomic i64 1, ptr %waits_place seq_cst, align 8
  br label %check
check:
  %rest = load atomic i64, ptr %unfinished_place seq_cst, align 8
  %last = icmp eq i64 %rest, 0
  br i1 %last, label %leave, label %sleep
sleep:
  %2 = call i32 @pthread_cond_wait(ptr %done, ptr %mutex)
  br label %check
leave:
  store atomic i64 0, ptr %waits_place seq_cst, align 8
  %3 = call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %free
free:
  store atomic i64 0, ptr %busy_place release, align 8
  ret void
alone:
  %piece = phi i64 [ 0, %entry ], [ %later, %alone ]
  %offset = mul i64 %piece, %size
  %argument = getelementptr i8, ptr %words, i64 %offset
  call void %function(ptr %argument)
  %later = add i64 %piece, 1
  %more = icmp slt i64 %later, %count
  br i1 %more, label %alone, label %end
end:
  ret void
}

define void @share_call(ptr %job, ptr %table) {
entry:
  %function_place = getelementptr i8, ptr %job, i64 8
  %words_place = getelementptr i8, ptr %job, i64 16
  %size_place = getelementptr i8, ptr %job, i64 24
  %count_place = getelementptr i8, ptr %job, i64 32
  %rouse_place = getelementptr i8, ptr %job, i64 40
  %fills_place = getelementptr i8, ptr %job, i64 48
  %fills = getelementptr i8, ptr %job, i64 56
  %team = load ptr, ptr %job, align 8
  %function = load ptr, ptr %function_place, align 8
  %words = load ptr, ptr %words_place, align 8
  %size = load i64, ptr %size_place, align 8
  %count = load i64, ptr %count_place, align 8
  %rouse_word = load i64, ptr %rouse_place, align 8
  %rouse = icmp ne i64 %rouse_word, 0
  %fills_count = load i64, ptr %fills_place, align 8
  br label %next_fill
next_fill:
  %f = phi i64 [ 0, %entry ], [ %later_fill, %filled ]
  %left = icmp slt i64 %f, %fills_count
  br i1 %left, label %fill, label %ready
fill:
  %fill_offset = mul i64 %f, 16
  %fill_place = getelementptr i8, ptr %fills, i64 %fill_offset
  %slot_place = getelementptr i8, ptr %fill_place, i64 8
  %place = load i64, ptr %fill_place, align 8
  %slot = load i64, ptr %slot_place, align 8
  %word_place = getelementptr i64, ptr %table, i64 %slot
  %word = load i64, ptr %word_place, align 8
  %first = getelementptr i8, ptr %words, i64 %place
  br label %next
next:
  %k = phi i64 [ 0, %fill ], [ %later, %put ]
  %more_pieces = icmp slt i64 %k, %count
  br i1 %more_pieces, label %put, label %filled
put:
  %offset = mul i64 %k, %size
  %target = getelementptr i8, ptr %first, i64 %offset
  store i64 %word, ptr %target, align 8
  %later = add i64 %k, 1
  br label %next
filled:
  %later_fill = add i64 %f, 1
  br label %next_fill
ready:
  %alone = icmp eq ptr %team, null
  br i1 %alone, label %each, label %share
share:
  call void @run(ptr %team, ptr %function, ptr %words, i64 %size, i64 %count, i1 %rouse)
  ret void
each:
  %n = phi i64 [ 0, %ready ], [ %following, %do ]
  %more = icmp slt i64 %n, %count
  br i1 %more, label %do, label %end
do:
  %its_offset = mul i64 %n, %size
  %its_piece = getelementptr i8, ptr %words, i64 %its_offset
  call void %function(ptr %its_piece)
  %following = add i64 %n, 1
  br label %each
end:
  ret void
}

define i64 @word_at(ptr %array, i64 %k) {
  %place = getelementptr i64, ptr %array, i64 %k
  %word = load i64, ptr %place, align 8
  ret i64 %word
}

define void @put_word(ptr %array, i64 %k, i64 %word) {
  %place = getelementptr i64, ptr %array, i64 %k
  store i64 %word, ptr %place, align 8
  ret void
}

define void @share_again(ptr %job, ptr %input, ptr %output) {
  %table = alloca [2 x ptr], align 8
  %second = getelementptr i8, ptr %table, i64 8
  store ptr %input, ptr %table, align 8
  store ptr %output, ptr %second, align 8
  call void @share_call(ptr %job, ptr %table)
  ret void
}
"""


_OF_ELEMENTS = """
define i64 @intBITS_at(ptr %array, i64 %k) {
  %place = getelementptr iBITS, ptr %array, i64 %k
  %element = load iBITS, ptr %place
  %word = zext iBITS %element to i64
  ret i64 %word
}

define void @put_intBITS(ptr %array, i64 %k, i64 %word) {
  %place = getelementptr iBITS, ptr %array, i64 %k
  %element = trunc i64 %word to iBITS
  store iBITS %element, ptr %place
  ret void
}
"""
NARROW = (8, 16, 32)
"""The bits of elements that are less than a word."""


def team_code() -> str:
    """The LLVM IR of all functions, for this machine."""
    places = {
        "UNFINISHED": _UNFINISHED,
        "JOB": _JOB,
        "BUSY": _BUSY,
        "PARKED": PARKED,
        "CLOSED": _CLOSED,
        "WAITS": _WAITS,
        "LOOKS": LOOKS,
        "MUTEX": _MUTEX,
        "WORK": _WORK,
        "DONE": _DONE,
    }
    text = _CODE.replace("PAUSE", PAUSES.get(platform.machine(), ""))
    for name, place in places.items():
        text = text.replace(f"i64 {name}\n", f"i64 {place}\n")
    return text + "".join(_OF_ELEMENTS.replace("BITS", str(bits)) for bits in NARROW)

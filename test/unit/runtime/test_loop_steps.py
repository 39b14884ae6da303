# What is known of the steps of a loop: whose memory arrays have, and how long they need it.
from diablo.runtime.program.loop_steps import LoopJobs


def of_calls(
    *steps: tuple[str, str] | tuple[str, str, int],
    given: int,
    carried: list[tuple[int, int]] | None = None,
    loops: list[tuple[int, int]] | None = None,
) -> LoopJobs:
    """Jobs of kernels that are given and make so much."""
    arrays = {w for step in steps for text in step[:2] for w in str(text).split() if w[0] == "@"}
    count = max(given, *(int(word[1:]) + 1 for word in arrays))
    calls = [("call", None, *step) for step in steps]
    return LoopJobs(given, count, count + 2 * len(calls), carried or [], calls, loops or [])


def test_an_array_is_needed_until_its_last_step():
    jobs = of_calls(("@0", "@1"), ("@1", "@2"), ("@2 @1", "@3"), given=1)
    assert jobs.last_use == {0: 0, 1: 2, 2: 2, 3: 2}


def test_what_is_made_in_place_has_the_memory_of_an_operand():
    jobs = of_calls(("@0", "@1"), ("@1", "@2", 1), ("@2", "@3"), given=1)
    assert jobs.memory_of[2] == 1
    assert jobs.last_use[1] == 2


def test_a_view_has_the_memory_of_its_array():
    jobs = LoopJobs(1, 3, 9, [], [("call", None, "@0", "@1"), ("view", 2, 1, (2,))])
    assert jobs.memory_of == {0: 0, 1: 1, 2: 1}


def test_an_array_follows_another_one_in_its_memory_if_nothing_reads_that_any_more():
    later = of_calls(("@0", "@1"), ("@1", "@2"), given=1, carried=[(0, 2)])
    at_once = of_calls(("@0", "@1"), ("@0 @1", "@2"), given=1, carried=[(0, 2)])
    assert later.in_place == {2: 0}
    assert at_once.in_place == {}
    assert later.last_use[2] == at_once.last_use[2] == 2  # The next iteration reads it.


def test_what_a_loop_within_reads_is_needed_to_its_end():
    jobs = of_calls(("@0", "@1"), ("@1", "@2"), ("@2", "@3"), ("@3", "@4"), given=1, loops=[(1, 4)])
    assert jobs.last_use[1] == 3
    assert jobs.last_use[2] == 2  # It is made anew in each of its iterations.


def test_extents_and_sparse_arrays_tell_preparations_apart():
    steps = [("call", None, "=4 3 5.1 @0 #9", "@1"), ("product", 6, 0, 1, "2,=8", 1, 7)]
    assert LoopJobs(7, 8, 20, [], steps).extents == {2, 3, 5, 6}
    assert LoopJobs(7, 8, 20, [], steps).multiplied == {6}
    assert LoopJobs(7, 8, 20, [], steps).last_use == {0: 0, 1: 1, 7: 1}


def test_the_columns_of_a_dense_matrix_tell_preparations_apart():
    jobs = LoopJobs(4, 6, 8, [], [("product", 3, 0, 1, "1,=8,2", 0, 5)])
    assert jobs.extents == {1, 2, 3}
    assert jobs.last_use == {0: 0, 5: 0}


def test_a_product_of_dense_arrays_reads_its_factors_and_what_it_is_added_to():
    steps = [
        ("matmul", "ik,k->i", "@1 @0", "2,=8", "@3"),
        ("matmul", "ik,kj->ij", "@3 @4", "5.1,2,=3", "@6", "@5", "-#9", 1.0, True),
        ("touch", "@3"),
    ]
    jobs = LoopJobs(6, 7, 13, [], steps)
    assert jobs.extents == {2, 5}
    assert jobs.last_use == {0: 0, 1: 0, 3: 2, 4: 1, 5: 1}
    assert jobs.memory_of[6] == 5


def test_an_array_that_is_carried_on_as_another_keeps_its_memory():
    jobs = of_calls(("@0 @1", "@2"), ("@2", "@3"), given=2, carried=[(0, 1), (1, 3)])
    assert jobs.in_place == {}
    assert jobs.last_use[1] == jobs.last_use[3] == 2


def test_extents_of_what_is_scanned_tell_preparations_apart():
    steps = [
        ("scan", "@0", "add", 1, False, "1,=8", "@4"),
        ("ahead",),
        ("call", None, "2 @4", "@5"),
    ]
    jobs = LoopJobs(4, 6, 12, [], steps)
    assert jobs.extents == {1, 2}
    assert jobs.last_use == {0: 0, 4: 2, 5: 2}

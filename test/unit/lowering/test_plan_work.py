# What counts as work of a plan, and what does not.
from xdsl.parser import Parser

from diablo.lowering.plan_work import more_work, plan_work
from diablo.registry import new_context


def work_of(text: str):
    return plan_work(Parser(new_context(), text).parse_module())


def kernel(extents: str, body: str, before: str = "") -> str:
    return f"""
        func.func private @kernel_0(%n: index, %V: tensor<?x?xf64>, %k: index) -> tensor<?x?xf64> {{
          %few = arith.constant 4 : index
          %five = arith.constant 5 : index
          {before}
          %0 = tensor_block.map parallel({extents})
              ins(%V[d0, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {{
          ^bb0(%i: index, %j: index, %v: f64):
            {body}
          }}
          func.return %0 : tensor<?x?xf64>
        }}
    """


PLAIN = "tensor_block.yield %v : f64"
TESTED = """
    %t = arith.cmpi {}, %{}, %k : index
    %x = scf.if %t -> (f64) {{ scf.yield %v : f64 }} else {{
      %z = arith.constant 0.0 : f64
      scf.yield %z : f64
    }}
    tensor_block.yield %x : f64
"""


def test_scalars_of_the_driver_and_constants_are_free():
    one = work_of("func.func @main(%n: i64) -> i64 { func.return %n : i64 }")
    other = work_of("""
        func.func @main(%n: i64) -> i64 {
          %c = arith.constant 7 : i64
          %m = arith.divsi %n, %c : i64
          func.return %m : i64
        }
    """)
    assert one == other


def test_inner_loops_of_few_points_are_no_long_ones():
    long = work_of(kernel("d0 < %n, d1 < %n", PLAIN))
    short = work_of(kernel("d0 < %n, d1 < %few", PLAIN))
    assert long - short == {"loop of any length": 1}
    # A nest that is small as a whole is not worth a plan of its own.
    assert work_of(kernel("d0 < %five, d1 < %few", PLAIN)) == long


def test_the_box_of_a_kernel_is_free_and_other_tests_are_not():
    plain = work_of(kernel("d0 < %n, d1 < %n", PLAIN))
    box = work_of(kernel("d0 < %n, d1 < %n", TESTED.format("sge", "i")))
    other = work_of(kernel("d0 < %n, d1 < %n", TESTED.format("ne", "n")))
    assert "arith.cmpi" not in box
    assert other - plain == {"arith.cmpi": 1, "scf.if": 1}


def test_a_product_is_less_work_than_another_sum():
    def sums(inputs: str) -> str:
        return f"""func.func private @kernel_0(%n: index, %A: tensor<?x?xf64>, %x: tensor<?xf64>)
            -> tensor<?xf64> {{
          %0 = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n)
              ins({inputs} : tensor<?x?xf64>, %x[d1] : tensor<?xf64>) -> tensor<?xf64> {{
          ^bb0(%i: index, %j: index, %a: f64, %b: f64):
            %p = arith.mulf %a, %b : f64
            tensor_block.yield %p : f64
          }}
          func.return %0 : tensor<?xf64>
        }}"""

    product, diagonal = work_of(sums("%A[d0, d1]")), work_of(sums("%A[d0, d0]"))
    assert diagonal - product == {"tensor_block.reduce": 1}


def test_a_map_of_indices_is_less_work_than_one_of_arrays():
    def ones(inputs: str, argument: str) -> str:
        return f"""func.func private @kernel_0(%n: index, %x: tensor<?xf64>) -> tensor<?xindex> {{
          %0 = tensor_block.map parallel(d0 < %n) {inputs} -> tensor<?xindex> {{
          ^bb0(%i: index{argument}):
            tensor_block.yield %i : index
          }}
          func.return %0 : tensor<?xindex>
        }}"""

    read = work_of(ones("ins(%x[d0] : tensor<?xf64>)", ", %a: f64"))
    assert read - work_of(ones("", "")) == {"element that is read": 1}


def test_an_element_at_a_computed_place_is_read_as_another_is():
    def read(inputs: str, argument: str, body: str) -> str:
        return f"""func.func private @kernel_0(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {{
          %0 = tensor_block.map parallel(d0 < %n) {inputs} -> tensor<?xf64> {{
          ^bb0(%i: index{argument}):
            {body}
            tensor_block.yield %a : f64
          }}
          func.return %0 : tensor<?xf64>
        }}"""

    by_index = read("ins(%x[d0] : tensor<?xf64>)", ", %a: f64", "")
    computed = read(
        "", "", "%j = arith.muli %i, %n : index %a = tensor.extract %x[%j] : tensor<?xf64>"
    )
    assert work_of(by_index) == work_of(computed)


def test_tests_are_no_more_work_but_what_depends_on_them_is():
    plain = work_of(kernel("d0 < %n, d1 < %n", PLAIN))
    tested = work_of(kernel("d0 < %n, d1 < %n", TESTED.format("ne", "n")))
    rooted = TESTED.format("ne", "n").replace(
        "scf.yield %v", "%r = math.sqrt %v : f64 scf.yield %r"
    )
    assert not more_work(tested, plain)
    assert more_work(work_of(kernel("d0 < %n, d1 < %n", rooted)), plain) == {"math.sqrt": 1}

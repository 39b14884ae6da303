"""The machine code of the error function."""

from __future__ import annotations

from diablo.dialects.functions.exponentials import exp
from diablo.dialects.functions.formulas import Formula

# Of x^2 for x up to 0.8: erf(x) / x - 1.
_NEAR = (
    0.12837916709551256,
    -0.3761263890318363,
    0.11283791670947416,
    -0.026866170643242766,
    0.005223977601706355,
    -0.0008548325281332641,
    0.00012055253135446144,
    -1.4923293465710941e-05,
    1.6417193641313393e-06,
    -1.58286667287709e-07,
    1.1082114710373202e-08,
)
_ERF_1 = 0.8427007929497149
"""erf(1) in two parts."""
_ERF_1_REST = -2.4801011789118602e-17
# Of x - 1 for x from 0.8 to 1.25: (erf(x) - erf(1)) / (x - 1).
_MIDDLE = (
    0.4151074974205947,
    -0.41510749742059494,
    0.13836916580683206,
    0.06918458290356878,
    -0.06918458289447495,
    0.0046123054985036565,
    0.015154717266070624,
    -0.004777028037588669,
    -0.001885148050718828,
    0.0012261622530439793,
    8.468982619012512e-05,
    -0.00019726383063965744,
    2.493908218311987e-05,
)
# Of x - 2 for x from 1.25 to 6, beyond which erf is 1: log(1 - erf(x)).
_LOG_REST = (
    -5.364941264616638,
    -4.41816080599442,
    -0.923750841823749,
    -0.016465118136566117,
    0.0035707563453726224,
    -0.0007323993907291273,
    0.00013530933741400848,
    -2.07064025092911e-05,
    1.952192045513341e-06,
    2.0355499282487877e-07,
    -1.7320108366399093e-07,
    5.7935544587557424e-08,
    -1.3983036119657446e-08,
    2.4260032201172185e-09,
    -2.1412111799853578e-10,
    -1.3672472156593523e-11,
    3.957706612297859e-12,
)


def erf(x: Formula) -> Formula:
    """The error function: odd at zero, around erf(1), and what it lacks of 1 beyond."""
    a = abs(x)
    near = a.near((a * a).polynomial(_NEAR), a)
    beyond = a - 1
    middle = _ERF_1 + beyond.near(beyond.polynomial(_MIDDLE), _ERF_1_REST)
    far = 1 - exp((a.at_most(6.0) - 2).polynomial(_LOG_REST))
    value = (a > 0.8).choose((a > 1.25).choose(far, middle), near)
    return value.with_sign_of(x)

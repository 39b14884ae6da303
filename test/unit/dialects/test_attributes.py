# Attributes are equal only if all their parameters are: what xDSL compares are the fields of the
# dataclass, which leave out those that a class inherits from one that is no dataclass itself.
from dataclasses import fields

import pytest
from xdsl.ir import ParametrizedAttribute

from diablo.universe import DIABLO_UNIVERSE

ATTRIBUTES = [
    attribute
    for dialect in DIABLO_UNIVERSE.all_dialects.values()
    for attribute in dialect().attributes
    if issubclass(attribute, ParametrizedAttribute)
]


@pytest.mark.parametrize("attribute", ATTRIBUTES, ids=lambda attribute: attribute.name)
def test_every_parameter_is_compared(attribute: type[ParametrizedAttribute]):
    parameters = [name for name, _ in attribute.get_irdl_definition().parameters]
    assert [field.name for field in fields(attribute)] == parameters

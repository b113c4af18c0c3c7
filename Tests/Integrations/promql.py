"""The names of the metrics in an expression of PromQL."""

import re

# What is removed before the names are read, in this order: strings, label matchers, ranges, lists of labels.
NO_NAMES = [
    r'"(?:[^"\\]|\\.)*"',
    r"\{[^}]*\}",
    r"\[[^\]]*\]",
    r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)",
]
OPERATORS = {"and", "or", "unless", "bool", "offset", "by", "without", "on", "ignoring", "group_left", "group_right"}


def metric_names(expression):
    """The metrics that an expression reads."""
    for pattern in NO_NAMES:
        expression = re.sub(pattern, " ", expression)
    # A name in front of a parenthesis is a function.
    names = re.findall(r"(?<![\w.])([a-zA-Z_:][\w:]*)(?!\w)(?!\s*\()", expression)
    return {name for name in names if name not in OPERATORS}

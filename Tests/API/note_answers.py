"""A hook for schemathesis that appends the status and operation of each response to the file named by ANSWERS."""

import os

import schemathesis


@schemathesis.hook
def after_call(context, case, response):
    with open(os.environ["ANSWERS"], "a") as answers:
        answers.write(f"{response.status_code} {case.operation.label}\n")

"""A hook of schemathesis: notes the status and the operation of each answer in the file that ANSWERS names."""

import os

import schemathesis


@schemathesis.hook
def after_call(context, case, response):
    with open(os.environ["ANSWERS"], "a") as answers:
        answers.write(f"{response.status_code} {case.operation.label}\n")

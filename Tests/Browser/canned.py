"""Prepared responses that replace the server's, for states that the demo does not reach."""

import json
import re

TIME = "2026-01-02T03:04:05.000Z"


def answer(page, path, body, status=200):
    """Responds to GET requests for a path below /api/v1, with any query, with a given body."""
    pattern = re.compile(r"/api/v1" + re.escape(path) + r"(\?.*)?$")
    page.route(pattern, lambda route: route.fulfill(status=status, json=body))


def empty(key, **more):
    """An empty list."""
    return {"total": 0, "next": None, key: [], **more}


def listing(key, rows, **more):
    """A complete list."""
    return {"total": len(rows), "next": None, key: rows, **more}


def error(code="invalidParameter", message="sort is \"size\".", hint="Known parameters: live, name."):
    """An error in the format of the API."""
    return {"error": {"code": code, "message": message, "hint": hint}}


def type_row(name, **changes):
    """A type without verdicts."""
    return {
        "type": name, "module": name.split(".")[0], "name": name.split(".", 1)[-1], "live": 1, "peak": 2, "born": 3,
        "died": 2, "shallowBytes": 48, "oldestAgeSeconds": 3.2, "budget": None, "overBudget": False, "group": None,
        "trend": [1, 2, 1], "growing": False, "growth": None, "maximumAgeSeconds": None,
        "verdicts": {"overdue": 0, "late": 0, "orphanOwner": 0}, **changes,
    }


def types(*rows, groups=(), total=None, **changes):
    """A list of types, or a part of one."""
    return {"total": len(rows) if total is None else total, "next": None, "trendStepSeconds": 5, "groups": list(groups),
            "types": list(rows), **changes}


def instance(number, name="Demo.Screen", **changes):
    """A live instance without verdicts."""
    return {
        "id": number, "type": name, "label": None, "bornAt": TIME, "ageSeconds": 3.2,
        "site": {"file": "Demo/Screen.swift", "line": 12}, "owner": None, "parent": None, "verdicts": [], **changes,
    }


def overdue_group(name, message, **changes):
    """A group of one overdue instance without tokens."""
    one = {
        "id": 17, "type": name, "label": None, "role": "culprit", "reason": "removed from its parent",
        "state": "overdue", "setAt": TIME, "withinSeconds": 2, "dueAt": TIME, "overdueSeconds": 1.2, "goneAt": None,
        "tokensInForce": 0, "site": {"file": "Demo/Screen.swift", "line": 12}, "creationStack": None,
        "retainStatus": None, "known": False, **changes,
    }
    return {
        "fingerprint": "9f0c", "type": name, "reason": one["reason"], "message": message,
        "overdue": 1, "late": 0, "culprits": 1, "known": None, "retainPath": None, "instances": [one],
    }


def step(kind, name, through="", **changes):
    """A step of a retain path."""
    return {
        "kind": kind, "name": name, "through": through, "certain": True, "suspect": False, "inCycle": False,
        "closesCycle": False, "folded": 0, **changes,
    }


HEAP_COST = {"objects": 9100, "blocks": 13_000, "totalMilliseconds": 376, "pauseMilliseconds": 1.34, "rounds": 2,
             "copyBytes": 4096, "excludedWords": 12}


def heap(number, **changes):
    """A capture of the heap."""
    return {"id": number, "takenAt": TIME, "ageSeconds": 3.2, "lines": 2, "count": 15_305, "bytes": 17_928_816,
            "leftOut": None, "cost": HEAP_COST, **changes}


def heap_captures(*heaps, running=None, dropped=0):
    """The kept captures of the heap."""
    return listing("heaps", list(heaps), running=running, limit=8, dropped=dropped)


def heap_line(name, **changes):
    """The objects of one type in a capture."""
    return {"kind": "class", "name": name, "type": f"Demo.{name}", "ofProgram": True, "count": 1204, "bytes": 57_792,
            "retained": 115_584, "paths": True, **changes}


def heap_group(number, name, retained, **changes):
    """A group of the tree of retained sizes."""
    return {"id": number, "parent": None, "level": 1, "kind": "class", "root": False, "name": name,
            "type": f"Demo.{name}", "ofProgram": True, "count": 1204, "bytes": 4800, "retained": retained,
            "largest": 96, "groups": 0, "unlisted": 0, **changes}


def heap_tree(*groups, **changes):
    """The tree of retained sizes of a capture."""
    return listing("groups", list(groups), **{"heap": heap(3), "count": 2000, "bytes": 1_000_000, "leftOut": 0,
                                              "obstacle": None, "path": [], "unlisted": 0, **changes})


def heap_path_group(name, count, *steps, **changes):
    """Objects of a type that the same root holds in the same way."""
    root = steps[0]["name"] if steps else "nothing"
    return {"status": "reachable", "count": count, "throughOthers": 0, "throughMore": 0, "name": name,
            "headline": f"{count:,} of 1,300 by {root}", "steps": list(steps), "fingerprint": "5a0e5a0e5a0e5a0e",
            "signature": f"{root} → {name}", "text": "", **changes}


def heap_paths(name, *groups, **changes):
    """What holds the objects of a type of capture 3."""
    return listing("groups", list(groups), **{
        "heap": heap(3), "types": [heap_line(name)], "count": 1300, "examined": 1300,
        "headline": f"{name}: 1,300 now, all examined.", "foundAt": TIME, "ageSeconds": 0.2, "copy": HEAP_COST,
        **changes})


def heap_task(number, state="sleep", **changes):
    """A Task of a capture."""
    return {"id": number, "state": state, "awaits": None, "cancelled": False, "stuck": False,
            "parent": None, "children": [], "name": None, "label": None, "functions": ["Cell.load()"],
            "ofProgram": True, "holds": ["Cell"], "alike": 0, **changes}


def heap_tasks(*tasks, **changes):
    """The Tasks of capture 3."""
    states = list(dict.fromkeys(task["state"] for task in tasks))
    counts = [{"state": state, "count": sum(task["state"] == state for task in tasks),
               "stuck": sum(task["state"] == state and task["stuck"] for task in tasks)}
              for state in states]
    return listing("tasks", list(tasks), **{"heap": heap(3), "states": counts, "leftOut": 0, "obstacle": None,
                                            **changes})


def heap_leak(name, **changes):
    """A leaked cycle of two objects."""
    steps = [step("object", name, ".child", inCycle=True),
             step("object", "Child", ".parent", inCycle=True, closesCycle=True, suspect=True)]
    return {"kind": "cycle", "name": name, "type": f"Demo.{name}", "ofProgram": True, "count": 1, "objects": 2,
            "bytes": 96, "victims": [], "strongReferences": 1, "explained": 1, "steps": steps,
            "hint": "Make Child.parent weak.", "pattern": "parentAndChild", "fingerprint": "5a0e5a0e5a0e5a0e",
            "signature": f"{name}.child → Child.parent", "known": None, "expired": None, "text": "", **changes}


def heap_leaks(*leaks, **changes):
    """The leaks of a capture."""
    return listing("leaks", list(leaks), **{"heap": heap(3), "cycles": len(leaks), "knownCycles": 0, "leftOut": 0,
                                            "notCompared": 0, "stuckTasks": 0, "obstacle": None, **changes})


def retain_path(*steps, **changes):
    """The retain path of instance 17."""
    root = steps[0]["name"] if steps and steps[0]["kind"] == "global" else None
    return {
        "instance": 17, "type": "Demo.Screen", "status": "reachable", "strongReferences": 1, "explained": 1,
        "paths": [{"root": root, "steps": list(steps)}] if steps else [], "holders": [], "culprit": None,
        "victims": [], "hint": None, "pattern": None, "fingerprint": "8d3f0c5b1a7e9264", "signature": "Hub.subs",
        "known": None, "expired": None, "text": "Screen #17 is held by static Hub.shared.\n", "foundAt": TIME,
        "ageSeconds": 1.5, "copy": {
            "objects": 2305, "blocks": 5713, "rounds": 1, "copyBytes": 6959104, "excludedWords": 41210,
            "pauseMilliseconds": 0.376, "totalMilliseconds": 38.7,
        }, **changes,
    }


def retain_job(progress=None, **changes):
    """An unfinished search for the retain path of instance 17."""
    return {
        "job": {
            "instance": 17, "state": "searching" if progress else "waiting", "progress": progress, "askedAt": TIME,
            "startedAt": TIME if progress else None, "ageSeconds": 0.2, "together": 1, **changes,
        },
    }


def stack(*functions):
    """A creation stack with the given functions."""
    return [{"function": name, "module": "demo", "offset": 16} for name in functions]


def summary(**changes):
    """The summary of a process in which nothing has been traced yet."""
    return {
        "version": 1, "time": TIME, "process": process(), "forkChildren": 0, "tracingSince": TIME,
        "tracing": True, "creationStacks": False, "instances": {"live": 0, "peak": 0, "born": 0, "died": 0}, "types": 0,
        "tokens": {"inForce": 0, "registered": 0, "removed": 0, "refused": 0, "deliveries": 0, "byKind": []},
        "verdicts": {
            "overdue": 0, "late": 0, "overBudget": 0, "orphaned": 0, "brokenInvariants": 0, "crowded": 0, "growing": 0,
        },
        "drops": [], "registryBytes": 1024, **changes,
    }


def health(status="ok", *reasons):
    """The tracer's health."""
    return {
        "status": status, "reasons": list(reasons),
        "thread": {"state": "asleep", "workingSeconds": None, "lateSeconds": None, "lastRoundAt": TIME,
                   "lastRoundAgeSeconds": 0.5},
        "delivery": {"waiting": 0, "oldestWaitingSeconds": None, "observerSeconds": None, "lastAt": None,
                     "lastAgeSeconds": None, "dropped": 0},
        "selfTest": {"passed": status != "failing", "ranAt": TIME, "milliseconds": 1, "checks": []},
    }


def process():
    """A fictitious process."""
    return {
        "pid": 4711, "name": "canned", "host": "box", "startedAt": TIME, "uptimeSeconds": 1.5, "swiftVersion": "6.3",
        "libraryVersion": "0.1.0",
    }


def stream(page, told, samples=None, growth=()):
    """Makes the stream send a hello and one summary, and then end; `samples` is the history."""
    hello = {"version": 1, "process": process(), "tracingSince": TIME, "tickSeconds": 1, "programRoutes": []}
    events = [("hello", hello), ("tick", {"summary": told, "top": [], "growth": list(growth)})]
    body = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)
    page.route("**/api/v1/events", lambda route: route.fulfill(content_type="text/event-stream", body=body))
    answer(page, "/summary", told)
    answer(page, "/history", samples or {"stepSeconds": 1, "types": [], "samples": []})


def serve_captures(found, rows=(), kept=(3,), tree=None, tasks=None):
    """Prepares one or more kept captures."""
    def before(page):
        answer(page, "/heaps", heap_captures(*[heap(number) for number in kept]))
        answer(page, "/heaps/3", listing("types", list(rows), heap=heap(3)))
        answer(page, "/heaps/3/leaks", found)
        answer(page, "/heaps/3/dominators", tree or heap_tree())
        answer(page, "/heaps/3/tasks", tasks or heap_tasks())
    return before

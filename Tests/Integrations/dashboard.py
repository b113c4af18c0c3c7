"""The queries of a Grafana dashboard, and the mistakes in its file."""

import json
import re

COLUMNS = 24
DATA_SOURCE = {"type": "prometheus", "uid": "${datasource}"}


class Dashboard:
    """A dashboard that a user imports and points at a data source."""

    def __init__(self, path):
        self.content = json.loads(path.read_text())
        self.panels = self.content["panels"]
        self.variables = {variable["name"]: variable for variable in self.content["templating"]["list"]}

    def expressions(self):
        """Pairs of a panel's title and an expression."""
        found = [(panel["title"], target["expr"]) for panel in self.panels for target in panel.get("targets", [])]
        return found + [(note["name"], note["expr"]) for note in self.content["annotations"]["list"]]

    def label_queries(self):
        """The metric selector and the label of each variable that lists the values of a label."""
        queries = [variable["query"]["query"] for variable in self.variables.values() if variable["type"] == "query"]
        return [re.fullmatch(r"label_values\((.*), (\w+)\)", query).groups() for query in queries]

    def filled_in(self, text):
        """An expression with values for its variables."""
        # Longer than a check on the slowest machine, so that every sample is in the window.
        values = {"__rate_interval": "1h", "__range": "1h"}
        values |= {name: variable["allValue"] for name, variable in self.variables.items() if "allValue" in variable}
        return re.sub(r"\$(\w+)", lambda match: values[match[1]], text)

    def mistakes(self):
        """What Grafana would not show as intended, one sentence each."""
        found = []
        ids = [panel["id"] for panel in self.panels]
        found += [f"two panels have the id {id}" for id in set(ids) if ids.count(id) > 1]
        if self.variables.get("datasource", {}).get("query") != "prometheus":
            found.append("no variable selects the data source")
        notes = self.content["annotations"]["list"]
        queries = [variable for variable in self.variables.values() if variable["type"] == "query"]
        targets = [target for panel in self.panels for target in panel.get("targets", [])]
        shown = [panel for panel in self.panels if panel["type"] != "row"]
        for part in shown + targets + notes + queries:
            if part.get("datasource") != DATA_SOURCE:
                found.append(f"{part.get('title') or part.get('name') or part.get('expr')} uses another data source")
        for panel in shown:
            references = [target["refId"] for target in panel["targets"]]
            if not references or len(set(references)) < len(references):
                found.append(f"{panel['title']} has no targets, or two with the same letter")
        for _, expression in self.expressions():
            if "job=~\"$job\", instance=~\"$instance\"" not in expression:
                found.append(f"{expression} does not follow the selected job and instance")
        return found + self._misplaced()

    def _misplaced(self):
        taken = {}
        found = []
        for panel in self.panels:
            place = panel["gridPos"]
            if place["x"] + place["w"] > COLUMNS:
                found.append(f"{panel['title']} is wider than the page")
            for x in range(place["x"], place["x"] + place["w"]):
                for y in range(place["y"], place["y"] + place["h"]):
                    other = taken.setdefault((x, y), panel["title"])
                    if other != panel["title"]:
                        found.append(f"{panel['title']} covers {other}")
        return sorted(set(found))

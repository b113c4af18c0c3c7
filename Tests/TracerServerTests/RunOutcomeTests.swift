import Foundation
import LifetimeTracer
import Testing
import TracerBase

@testable import tracer_server

@Suite struct RunOutcomeTests {
    private static let clean = ExitSearch(outcome: .searched(leaks: 0), json: Array(#"{"leaks":[]}"#.utf8))
    private static let leaks = ExitSearch(outcome: .searched(leaks: 2), json: Array(#"{"leaks":[1,2]}"#.utf8))
    private static let none = ExitSearch(outcome: .none(reason: "the program called _exit"))

    @Test(
        arguments: [
            (.exited(0), clean, true, .exited(0), .exited(2)), (.exited(0), leaks, true, .exited(3), .exited(3)),
            (.exited(0), none, true, .exited(2), .exited(2)),
            // A failure of the program is never hidden.
            (.exited(7), leaks, true, .exited(7), .exited(7)), (.exited(7), none, true, .exited(7), .exited(7)),
            (.killed(11), none, true, .killed(11), .killed(11)),
            // Without --fail-on-leaks, the status is the program's.
            (.exited(0), leaks, false, .exited(0), .exited(0)), (.exited(0), none, false, .exited(0), .exited(0)),
        ]
            as [(
                SupervisedProgram.Ending, ExitSearch, Bool, SupervisedProgram.Ending, SupervisedProgram.Ending
            )]) func runEndsWithTheFirstFailure(
            _ ending: SupervisedProgram.Ending, _ search: ExitSearch, _ fails: Bool,
            _ expected: SupervisedProgram.Ending, _ withoutReport: SupervisedProgram.Ending
        )
    {
        let outcome = RunOutcome(ending: ending, search: search, failsOnLeaks: fails)
        #expect(outcome.ownEnding() == expected)
        #expect(outcome.ownEnding(isReported: false) == withoutReport)
    }

    @Test(arguments: [
        (SupervisedProgram.Ending.exited(0), clean, #""verdict":"clean","reason":null"#, #""search":{"leaks":[]}"#),
        (.exited(7), leaks, #""exitStatus":7,"signal":null"#, #""search":{"leaks":[1,2]}"#),
        (.killed(9), none, #""exitStatus":null,"signal":9"#, #""reason":"the program called _exit""#),
    ]) func reportStatesEndAndSearch(
        _ ending: SupervisedProgram.Ending, _ search: ExitSearch, _ one: String, _ other: String
    ) {
        let outcome = RunOutcome(ending: ending, search: search, failsOnLeaks: true)
        let report = RunReport(
            outcome: outcome, program: "./app", process: 5, endedAt: WallTime(nanosecondsSince1970: 0))
        let json = String(decoding: report.jsonBytes, as: UTF8.self)
        #expect(json.contains(one) && json.contains(other), "\(json)")
        #expect(json.contains(#""process":{"pid":5,"name":"./app"},"endedAt":"1970-01-01T00:00:00.000Z""#), "\(json)")
    }
}

import type { ClockChange, SandboxClock, SandboxMail, Scenario, ScenarioName } from '../../contract/sandbox/world.js'

/** The simulated world of the sandbox, which the command line provides. */
export type World = {
  readClock(): SandboxClock
  /** Returns when everything has happened that was due in between. */
  moveClock(change: ClockChange): Promise<SandboxClock>
  startScenario(name: ScenarioName): Promise<Scenario>
  listScenarios(): Scenario[]
  /** The newest first. */
  listMails(): SandboxMail[]
}

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, withDescendants } from '../../bench/processes.js'
import { until } from '../program.js'
import { type EtcdPlace, etcdArguments, haproxySettings, type Place, patroniSettings } from './configuration.js'
import { findPrograms, findServerPrograms } from './debian-programs.js'
import { type Machine, openMachines } from './machines.js'

/** Three PostgreSQL servers that Patroni and etcd keep available, behind HAProxy. */

const user = 'waybill'
const runFile = promisify(execFile)

type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string }

const followingStates = new Set(['running', 'streaming'])

export class Cluster {
  /** Servers that had to be copied from the leader again. */
  readonly copiedAnew: string[] = []
  readonly nodes: Node[]
  readonly ports: { primary: number; replica: number }
  readonly #end: () => void

  constructor(nodes: Node[], ports: { primary: number; replica: number }, end: () => void) {
    this.nodes = nodes
    this.ports = ports
    this.#end = end
  }

  /** Through HAProxy. */
  get url(): string {
    return `postgres://${user}@127.0.0.1:${this.ports.primary}/postgres`
  }

  /** Of each server itself. */
  get serverUrls(): string[] {
    return this.nodes.map(({ url }) => url)
  }

  /** The server that has the leader lock and accepts writes. */
  async findLeader(among: Node[] = this.nodes): Promise<Node | undefined> {
    const are = await Promise.all(among.map((node) => node.isPrimary()))
    return among.find((_, index) => are[index])
  }

  /** A leader, two servers that follow it without a lag, and one of them synchronous. */
  async isHealthy(): Promise<boolean> {
    const members = await this.#readMembers()
    return followersIn(members).length === 2 && members.some(({ role }) => role === 'sync_standby')
  }

  /**
   * Waits until all three run. A server that cannot follow the new leader from its own files (PostgreSQL refuses some histories
   * of timelines) is copied anew after a while, as an administrator does.
   */
  async untilHealthy(): Promise<void> {
    const isHealthy = () => this.isHealthy()
    const isInTime = await until('all three servers run', isHealthy, 30_000).then(
      () => true,
      () => false,
    )
    if (isInTime) return
    const members = await this.#readMembers()
    const fine = new Set([...followersIn(members), ...members.filter(({ role }) => role === 'leader')])
    for (const { name, state } of members.filter((member) => !fine.has(member))) {
      this.copiedAnew.push(`${name} (${state})`)
      await this.nodes.find((node) => node.name === name)?.copyAnew()
    }
    await until('all three servers run', isHealthy, 90_000)
  }

  async #readMembers(): Promise<Member[]> {
    return (await (await this.findLeader())?.readMembers()) ?? []
  }

  end(): void {
    this.#end()
  }
}

function followersIn(members: Member[]): Member[] {
  const leader = members.find(({ role }) => role === 'leader')
  return members.filter(
    ({ role, state, lag, timeline }) =>
      role !== 'leader' && followingStates.has(state) && lag === 0 && timeline === leader?.timeline,
  )
}

export async function startCluster(folder: string, { isRoot }: { isRoot: boolean }): Promise<Cluster> {
  const programs = findPrograms(['etcd', 'patroni', 'patronictl', 'haproxy'])
  const server = findServerPrograms()
  const machines = await openMachines(['node1', 'node2', 'node3'], isRoot)
  const places: Place[] = []
  for (const { name, address } of machines.all) {
    const own = join(folder, name)
    mkdirSync(own, { mode: 0o700 })
    if (isRoot) chownSync(own, 65534, 65534)
    places.push({ name, address, folder: own, ports: { postgres: await freePort(), patroni: await freePort() } })
  }
  const etcd = await startEtcd(programs.etcd, folder, machines.outside)
  const nodes = machines.all.map((machine, index) => {
    const place = places[index] as Place
    const settings = join(place.folder, 'patroni.yml')
    writeFileSync(settings, patroniSettings(place, etcd.places, { programs: server, user }))
    chmodSync(settings, 0o644)
    return new Node(machine, place, { ...programs, settings })
  })
  for (const node of nodes) node.startPatroni()
  const ports = { primary: await freePort(), replica: await freePort() }
  const haproxySettingsFile = join(folder, 'haproxy.cfg')
  writeFileSync(haproxySettingsFile, haproxySettings(places, ports))
  const log = openSync(join(folder, 'haproxy.log'), 'a')
  const haproxy = spawn(programs.haproxy, ['-db', '-f', haproxySettingsFile], { stdio: ['ignore', log, log] })
  const cluster = new Cluster(nodes, ports, () => {
    for (const node of nodes) node.end()
    haproxy.kill('SIGKILL')
    etcd.end()
    machines.end()
  })
  process.once('exit', () => cluster.end())
  await cluster.untilHealthy()
  return cluster
}

async function startEtcd(program: string, folder: string, address: string) {
  const places: EtcdPlace[] = []
  for (const name of ['etcd1', 'etcd2', 'etcd3'])
    places.push({
      name,
      address,
      folder: join(folder, name),
      ports: { client: await freePort(), peer: await freePort() },
    })
  const members = places.map((place) => {
    const log = openSync(`${place.folder}.log`, 'a')
    return spawn(program, etcdArguments(place, places), { stdio: ['ignore', log, log] })
  })
  return {
    places,
    end() {
      for (const member of members) member.kill('SIGKILL')
    },
  }
}

type NodePrograms = { patroni: string; patronictl: string; settings: string }

/** One of the three: Patroni and its PostgreSQL. */
export class Node {
  readonly place: Place
  readonly #machine: Machine
  readonly #programs: NodePrograms
  #patroni: ChildProcess | undefined

  constructor(machine: Machine, place: Place, programs: NodePrograms) {
    this.#machine = machine
    this.place = place
    this.#programs = programs
  }

  get name(): string {
    return this.place.name
  }

  get url(): string {
    const { address, ports } = this.place
    return `postgres://${user}@${address}:${ports.postgres}/postgres`
  }

  get setLink(): Machine['setLink'] {
    return this.#machine.setLink
  }

  startPatroni(): void {
    this.#patroni = this.#start('patroni', [this.#programs.patroni, this.#programs.settings])
  }

  /** Kills Patroni and all processes of PostgreSQL, like a power failure. */
  async kill(): Promise<void> {
    this.#patroni?.kill('SIGKILL')
    const pids = this.#serverProcesses()
    for (const pid of pids) sendKill(pid)
    await until('the server is dead', () => pids.every((pid) => !isAlive(pid)))
  }

  async isPrimary(): Promise<boolean> {
    return (await this.#ask('/primary'))?.ok ?? false
  }

  async readMembers(): Promise<Member[]> {
    const response = await this.#ask('/cluster')
    return response ? ((await response.json()) as { members: Member[] }).members : []
  }

  /** Hands over to another server, as an administrator does. */
  switchOver(): Promise<void> {
    return this.#control('switchover', 'waybill', '--master', this.name, '--force')
  }

  /** Copies the leader again. */
  copyAnew(): Promise<void> {
    return this.#control('reinit', 'waybill', this.name, '--force')
  }

  end(): void {
    this.#patroni?.kill('SIGKILL')
    for (const pid of this.#serverProcesses()) sendKill(pid)
  }

  /** The last lines of the log of Patroni, for a run that fails. */
  lastLines(): string {
    return readFileSync(join(this.place.folder, 'patroni.log'), 'utf8').split('\n').slice(-15).join('\n')
  }

  async #control(...args: string[]): Promise<void> {
    const { patronictl, settings } = this.#programs
    await runFile(patronictl, ['-c', settings, ...args], {
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: '/tmp' },
    })
  }

  async #ask(path: string): Promise<Response | undefined> {
    const { address, ports } = this.place
    return fetch(`http://${address}:${ports.patroni}${path}`, { signal: AbortSignal.timeout(500) }).catch(
      () => undefined,
    )
  }

  #start(name: string, command: string[]): ChildProcess {
    const { folder } = this.place
    const log = openSync(join(folder, `${name}.log`), 'a')
    const env = { PATH: '/usr/bin:/bin:/usr/sbin', HOME: folder, LC_ALL: 'C.UTF-8', TZ: 'UTC', PYTHONUNBUFFERED: '1' }
    return this.#machine.start(command, { cwd: folder, stdio: ['ignore', log, log], env })
  }

  #serverProcesses(): number[] {
    try {
      const [pid] = readFileSync(join(this.place.folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')
      return isAlive(Number(pid)) ? [...withDescendants([Number(pid)])] : []
    } catch {
      return []
    }
  }
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has exited already.
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { until } from '../program.js'

/** Three machines with an address each. As root: network namespaces that are joined by a bridge, and can be cut off. */
export type Machine = {
  name: string
  address: string
  /** Starts a program on this machine, as the user of the database. */
  start: (command: string[], options: SpawnOptions) => ChildProcess
  /** Cuts it off the network, or joins it again; undefined where there are no namespaces. */
  setLink: ((isUp: boolean) => void) | undefined
}

/** `outside`: the address of programs outside of the three, such as etcd. */
export type Machines = { all: Machine[]; outside: string; end: () => void }

// For tests of network devices (RFC 2544); they exist in the namespaces of the run only.
const network = '198.18.0'

const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']

export async function openMachines(names: string[], isRoot: boolean): Promise<Machines> {
  if (!isRoot) {
    const all = names.map((name): Machine => ({ name, address: '127.0.0.1', start: startHere, setLink: undefined }))
    return { all, outside: '127.0.0.1', end: () => {} }
  }
  const holders: ChildProcess[] = []
  ip('link set lo up')
  ip('link add name machines type bridge')
  ip(`address add ${network}.1/24 dev machines`)
  ip('link set machines up')
  const all: Machine[] = []
  for (const [index, name] of names.entries()) {
    const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
    holders.push(holder)
    const pid = holder.pid as number
    await until('the namespace exists', () => namespaceOf(pid) !== namespaceOf(process.pid))
    const inside = ['nsenter', `--net=/proc/${pid}/ns/net`]
    const address = `${network}.${11 + index}`
    ip(`link add name ${name} type veth peer name eth0 netns ${pid}`)
    ip(`link set ${name} master machines up`)
    ip('link set lo up', inside)
    ip(`address add ${address}/24 dev eth0`, inside)
    ip('link set eth0 up', inside)
    all.push({
      name,
      address,
      start: (command, options) => startHere([...inside, ...nobody, ...command], options),
      setLink: (isUp) => ip(`link set ${name} ${isUp ? 'up' : 'down'}`),
    })
  }
  return {
    all,
    outside: `${network}.1`,
    end() {
      for (const holder of holders) holder.kill('SIGKILL')
    },
  }
}

function startHere([program = '', ...args]: string[], options: SpawnOptions): ChildProcess {
  return spawn(program, args, options)
}

function ip(args: string, prefix: string[] = []): void {
  const [program = '', ...rest] = [...prefix, 'ip', ...args.split(' ')]
  execFileSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'] })
}

function namespaceOf(pid: number): string {
  return readlinkSync(`/proc/${pid}/ns/net`)
}

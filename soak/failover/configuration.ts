/** The settings of etcd, Patroni and HAProxy, as docs/deploy.md gives them; times are shorter, so that a run is. */

export type Place = { name: string; address: string; folder: string; ports: { postgres: number; patroni: number } }

/**
 * Of etcd, on machines of its own. Beside PostgreSQL it would be cut off together with Patroni, which then reads from it that it
 * still has the lock, and takes it back when the network is there again (seen with Patroni 3.0.2: acknowledged writes were lost).
 */
export type EtcdPlace = { name: string; address: string; folder: string; ports: { client: number; peer: number } }

/** Seconds. A leader that is gone is replaced after `ttl`; Patroni needs loop_wait + 2 × retry_timeout <= ttl. */
export const patroniTimes = { ttl: 10, loop_wait: 2, retry_timeout: 3 }

export function etcdArguments(place: EtcdPlace, places: EtcdPlace[]): string[] {
  const { name, folder } = place
  const client = clientOf(place)
  const peerOf = ({ address, ports }: EtcdPlace) => `http://${address}:${ports.peer}`
  return Object.entries({
    name,
    'data-dir': folder,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peerOf(place),
    'initial-advertise-peer-urls': peerOf(place),
    'initial-cluster': places.map((each) => `${each.name}=${peerOf(each)}`).join(','),
    'initial-cluster-state': 'new',
    'log-level': 'warn',
    // A member that comes back would force an election, and interrupt all others (the default of etcd 3.5).
    'pre-vote': 'true',
  }).map(([flag, value]) => `--${flag}=${value}`)
}

function clientOf({ address, ports }: EtcdPlace): string {
  return `http://${address}:${ports.client}`
}

/** JSON, which is YAML as well. */
export function patroniSettings(
  { name, address, folder, ports }: Place,
  etcd: EtcdPlace[],
  { programs, user }: { programs: string; user: string },
): string {
  const postgres = `${address}:${ports.postgres}`
  return JSON.stringify({
    scope: 'waybill',
    name,
    restapi: { listen: `${address}:${ports.patroni}`, connect_address: `${address}:${ports.patroni}` },
    etcd3: { hosts: etcd.map((each) => `${each.address}:${each.ports.client}`) },
    bootstrap: {
      dcs: {
        ...patroniTimes,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 100,
            wal_keep_size: '256MB',
            shared_buffers: '64MB',
            jit: 'off',
            // 5 s unless given: a standby that is earlier than its slot on the new primary waits for that long, and writes with it.
            wal_retrieve_retry_interval: '500ms',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: postgres,
      connect_address: postgres,
      data_dir: `${folder}/cluster`,
      bin_dir: programs,
      pgpass: `${folder}/pgpass`,
      authentication: {
        superuser: { username: user, password: 'only-here' },
        replication: { username: 'replication', password: 'only-here' },
        rewind: { username: 'rewind', password: 'only-here' },
      },
      parameters: { unix_socket_directories: folder },
      pg_hba: ['local all all trust', 'host all all all trust', 'host replication all all trust'],
    },
  })
}

/** The primary at one port, any replica at another, by the health checks of Patroni. */
export function haproxySettings(places: Place[], { primary, replica }: { primary: number; replica: number }): string {
  const serversAs = (check: string) => `
  option httpchk OPTIONS /${check}
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${places.map(({ name, address, ports }) => `  server ${name} ${address}:${ports.postgres} check port ${ports.patroni}`).join('\n')}`
  return `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 30m
  timeout server 30m
listen primary
  bind 127.0.0.1:${primary}${serversAs('primary')}
listen replica
  bind 127.0.0.1:${replica}${serversAs('replica')}
`
}

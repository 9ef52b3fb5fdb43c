import { spawnSync } from 'node:child_process'

/**
 * `npm start`: builds what is out of date, then runs the sandbox in this process. npm runs it in a shell, which does not pass
 * signals on: after `kill` of npm this process stays behind without its parent, and then it ends itself as if it were signalled.
 */

const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
if (status === 0) {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, 500).unref()
  process.argv.splice(2, 0, 'sandbox')
  await import(new URL('../bin/waybill.cjs', import.meta.url).href)
} else {
  process.exitCode = 1
}

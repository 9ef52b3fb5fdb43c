import { spawnSync } from 'node:child_process'
import { findMachinesChromium, hasChromium } from '../test/support/chromium.js'

/**
 * Sees to it that there is a browser for the tests. That of the development dependencies runs on x64 alone: elsewhere
 * Debian's is installed, by whoever may.
 */
if (!hasChromium && findMachinesChromium() === undefined) install()

function install(): void {
  const apt = (...args: string[]) => spawnSync('apt-get', args, { stdio: 'inherit' }).status === 0
  const installChromium = () => apt('install', '--yes', '--no-install-recommends', 'chromium-headless-shell')
  // Lists that are too old, or not there, are fetched.
  if (installChromium() || (apt('update') && installChromium())) return
  console.error("The tests need a chromium-headless-shell on the PATH: install Debian's package of that name.")
  process.exitCode = 1
}

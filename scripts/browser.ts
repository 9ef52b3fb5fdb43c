import { spawnSync } from 'node:child_process'
import { findInstalledChromium, hasChromium, unpackChromium } from '../test/support/chromium.js'

/**
 * Makes sure that there is a browser for the tests. That of the development dependencies runs on x64 only; elsewhere
 * Debian's package is installed, which needs root.
 */
if (hasChromium) await unpackChromium()
else if (findInstalledChromium() === undefined) install()

function install(): void {
  const apt = (...args: string[]) => spawnSync('apt-get', args, { stdio: 'inherit' }).status === 0
  const installChromium = () => apt('install', '--yes', '--no-install-recommends', 'chromium-headless-shell')
  // Updates the package lists if they are missing or too old.
  if (installChromium() || (apt('update') && installChromium())) return
  console.error("The tests need a chromium-headless-shell on the PATH: install Debian's package of that name.")
  process.exitCode = 1
}

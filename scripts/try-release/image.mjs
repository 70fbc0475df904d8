import { readFileSync } from 'node:fs'
import { inRoot } from '../setup/paths.mjs'

/**
 * @typedef {object} Image What the Dockerfile's last stage says.
 * @property {readonly string[]} command
 * @property {Record<string, string>} env
 * @property {number} user
 * @property {string} app where the release lies
 * @property {string} data where it may write
 */

/** @returns {Image} */
export function readImage() {
  const dockerfile = readFileSync(inRoot('Dockerfile'), 'utf8')
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  const said = (pattern) => {
    const found = pattern.exec(last)?.[1]
    if (found === undefined) throw new Error(`the Dockerfile says nothing like ${pattern}`)
    return found
  }
  const env = Object.fromEntries(
    said(/^ENV (.+)$/m)
      .split(' ')
      .map((pair) => pair.split('=')),
  )
  return {
    command: JSON.parse(said(/^CMD (\[.+\])$/m)),
    env,
    user: Number(said(/^USER (\d+):\d+$/m)),
    app: said(/^WORKDIR (\S+)$/m),
    data: said(/^VOLUME (\S+)$/m),
  }
}

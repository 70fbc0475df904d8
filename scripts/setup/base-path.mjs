import { orExit } from './run.mjs'

/** '' or `/nod`, without a slash at its end; null if it is not a path. @param {string} text */
export function basePathOf(text) {
  const path = text.trim().replace(/\/+$/, '')
  const fits = path === '' || /^(?:\/[A-Za-z0-9._~-]+)+$/.test(path)
  return fits && !/\/\.{1,2}(?:\/|$)/.test(path) ? path : null
}

/** `NOD_BASE_PATH`; exits if it is invalid, because Next would refuse it a minute later with its own message. */
export function readBasePath() {
  const said = process.env.NOD_BASE_PATH ?? ''
  const path = basePathOf(said)
  if (path === null) orExit(2, `NOD_BASE_PATH must be a path such as /nod, not “${said}”.`)
  return path
}

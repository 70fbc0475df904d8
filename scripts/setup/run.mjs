import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { inRoot, root } from './paths.mjs'

/** The environment of every child: node_modules/.bin first, so that `node` is the pinned Node 24, not the machine's. */
export function childEnv(extra = {}) {
  return {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    PATH: `${inRoot('node_modules/.bin')}${path.delimiter}${process.env.PATH ?? ''}`,
    ...extra,
  }
}

/** Starts a command with our environment; the caller awaits `exited`. */
export function start(command, args, { env = {}, stdio = 'inherit', cwd = root } = {}) {
  const child = spawn(command, args, { cwd, stdio, env: childEnv(env), shell: process.platform === 'win32' })
  const exited = new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`)
      resolve(127)
    })
    child.once('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)))
  })
  return { child, exited }
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** The command ends with this script, also when a signal ends it; otherwise a build would go on without its script. */
async function endingWithUs({ child, exited }) {
  const end = (signal) => {
    child.kill(signal)
    // Nobody else handles the signal: it ends this script.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }
  for (const signal of endings) process.once(signal, end)
  const code = await exited
  for (const signal of endings) process.removeListener(signal, end)
  return code
}

/** Runs a command to its end and returns its exit code. */
export const run = (command, args, options) => endingWithUs(start(command, args, options))

/**
 * Runs a command and keeps its output; `onLine` receives each line meanwhile, `onStart` its process id.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, cwd?: string, onLine?: (line: string) => void, onStart?: (pid: number) => void }} [options]
 * @returns {Promise<{ code: number, said: Buffer }>}
 */
export async function runCaptured(command, args, { onLine, onStart, ...options } = {}) {
  const { child, exited } = start(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = endingWithUs({ child, exited })
  if (child.pid !== undefined) onStart?.(child.pid)
  const output = []
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  if (onLine) createInterface({ input: child.stdout }).on('line', onLine)
  // The last output may arrive after its end.
  const whole = new Promise((resolve) => child.once('close', resolve))
  const code = await ended
  if (child.pid !== undefined) await whole
  return { code, said: Buffer.concat(output) }
}

/**
 * Runs a command quietly; its output is printed only when it fails.
 * @param {Parameters<typeof runCaptured>} given
 */
export async function runQuiet(...given) {
  const { code, said } = await runCaptured(...given)
  if (code !== 0) process.stderr.write(said)
  return code
}

/** Exits with a sentence if a step failed. */
export function orExit(code, sentence) {
  if (code === 0) return
  console.error(`\n${sentence}`)
  process.exit(code)
}

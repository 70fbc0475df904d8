import { AppError } from '@/lib/base/app-error'
import { createKeyRedactor, type Redact } from '@/lib/models/redact-keys'
import { redactSecrets } from '@/lib/models/redact-secrets'
import { asStoreError } from '@/lib/store/store-error'

/* What goes to the operator's log: one line a problem, no secret in it, and no flood of the same one. */

interface Holder {
  redact: Redact
  readonly printed: Map<string, { readonly until: number; left: number }>
}

const QUIET_MS = 10_000
const MAX_KNOWN = 200

/** On globalThis: the server is made in one bundle and logs from all of them. */
const key = Symbol.for('nod.log')
const slot = globalThis as typeof globalThis & { [key]?: Holder }
const holder = (): Holder => (slot[key] ??= { redact: (text) => text, printed: new Map() })

/** From here on these very words never stand in the log, nor in what `redact` has seen. */
export function keepSecret(secrets: readonly (string | null | undefined)[]): Redact {
  const literally = createKeyRedactor(secrets)
  holder().redact = literally
  return literally
}

/** Refusals and a store that is away are told in a line; what nobody expected with its stack. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const known = error instanceof AppError ? error : asStoreError(error)
  if (!known) return error.stack ?? error.message
  const { cause } = known
  return cause instanceof Error ? `${known.message} (${cause.message})` : known.message
}

/** Prints a problem; the same one again within ten seconds is counted instead. */
export function logProblem(message: string, error?: unknown): void {
  const { redact, printed } = holder()
  const told = error === undefined ? message : `${message}: ${wordsOf(error)}`
  const line = redactSecrets(redact(told))
  const now = Date.now()
  const before = printed.get(line)
  if (before && now < before.until) {
    before.left += 1
    return
  }
  if (printed.size >= MAX_KNOWN) printed.clear()
  printed.set(line, { until: now + QUIET_MS, left: 0 })
  console.warn(`[nod] ${line}${before && before.left > 0 ? ` (and ${before.left} times more before)` : ''}`)
}

import type { MonotonicClock } from '@/lib/base/clocks'
import type { ExactForm } from './exact-forms'
import type { ExactFinding } from './probe-exact'

/** What was found out about the models of this process' servers. Nothing of it is stored: servers are updated and restarted. */
export interface ExactKnowledge {
  /** What was found last, by form. */
  of(model: string): ReadonlyMap<ExactForm, ExactFinding>
  /**
   * The first of `forms` that binds, or what was found of the last one; asks where that is not known. At most one question is
   * open at any time; whoever wants the same meanwhile waits for it. Null: nothing can be told now. Never rejects.
   */
  find(
    model: { readonly id: string; readonly stamp: string },
    forms: readonly ExactForm[],
    ask: (form: ExactForm) => Promise<ExactFinding | null>,
  ): Promise<{ readonly form: ExactForm; readonly finding: ExactFinding } | null>
  /** A reply told it. */
  note(model: { readonly id: string; readonly stamp: string }, form: ExactForm, finding: ExactFinding): void
}

/** A server that binds goes on doing so; one that does not may be another one soon. */
const BINDS_MS = 6 * 3_600_000
const ELSE_MS = 20 * 60_000
/** Names come from the servers' lists. */
const MAX_MODELS = 1_000

interface Kept {
  readonly stamp: string
  readonly findings: Map<ExactForm, { readonly finding: ExactFinding; readonly until: number }>
}

export function createExactKnowledge({ monotonic }: { readonly monotonic: MonotonicClock }): ExactKnowledge {
  const kept = new Map<string, Kept>()
  const open = new Map<string, ReturnType<ExactKnowledge['find']>>()
  let queue: Promise<unknown> = Promise.resolve()

  const findingsOf = (id: string): ReadonlyMap<ExactForm, ExactFinding> => {
    const fresh = [...(kept.get(id)?.findings ?? [])].filter(([, { until }]) => until > monotonic())
    return new Map(fresh.map(([form, { finding }]) => [form, finding]))
  }

  function note(
    { id, stamp }: { readonly id: string; readonly stamp: string },
    form: ExactForm,
    finding: ExactFinding,
  ) {
    const before = kept.get(id)
    const one: Kept = before?.stamp === stamp ? before : { stamp, findings: new Map() }
    one.findings.set(form, { finding, until: monotonic() + (finding === 'honoured' ? BINDS_MS : ELSE_MS) })
    kept.delete(id)
    kept.set(id, one)
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_MODELS) break
      kept.delete(oldest)
    }
  }

  function known(id: string, forms: readonly ExactForm[]) {
    const findings = findingsOf(id)
    const binding = forms.find((form) => findings.get(form) === 'honoured' || findings.get(form) === 'half')
    const last = forms.every((form) => findings.has(form)) ? forms.at(-1) : undefined
    const form = binding ?? last
    const finding = form && findings.get(form)
    return form && finding ? { form, finding } : null
  }

  return {
    of: findingsOf,
    note,

    find(model, forms, ask) {
      const { id, stamp } = model
      const before = kept.get(id)
      if (before && before.stamp !== stamp) kept.delete(id)
      const found = known(id, forms)
      if (found) return Promise.resolve(found)
      const key = JSON.stringify([id, stamp, forms])
      const asked = open.get(key)
      if (asked) return asked

      const asking = queue.then(async () => {
        for (const form of forms) {
          if (findingsOf(id).has(form)) continue
          const finding = await ask(form).catch(() => null)
          // A server that is away will not say more to the next form.
          if (finding === null) return null
          note(model, form, finding)
          if (finding === 'honoured') break
        }
        return known(id, forms)
      })
      const done = asking.catch(() => null).finally(() => open.delete(key))
      queue = done
      open.set(key, done)
      return done
    },
  }
}

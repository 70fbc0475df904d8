import type { KeptBy, ResultRelease } from '../conversation'

/** A result that nobody's click kept. `at`: epoch milliseconds. */
export const storedInThisBrowser = (kind: Exclude<KeptBy['kind'], 'click'>, at: number): ResultRelease => ({
  kind: 'withheld',
  by: { kind },
  note: '',
  releasedAt: at,
})

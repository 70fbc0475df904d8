import { createBodyIntake, type BodyIntake } from '@/lib/server/http/body-intake'

const key = Symbol.for('nod.body-intake')
/** On globalThis: each route is its own bundle, and their bodies share one memory limit. */
const slot = globalThis as typeof globalThis & { [key]?: BodyIntake }

/** All request bodies that this process is receiving. */
export const bodyIntake = (): BodyIntake =>
  (slot[key] ??= createBodyIntake({
    monotonic: () => performance.now(),
    after(ms, task) {
      const timer = setTimeout(task, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
  }))

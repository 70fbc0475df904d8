import { createBodyIntake, type BodyIntake } from '@/lib/server/http/body-intake'

const key = Symbol.for('nod.body-intake')
/** On globalThis: each route is a bundle of its own, and their bodies share one memory. */
const slot = globalThis as typeof globalThis & { [key]?: BodyIntake }

/** All bodies that this process is being sent. */
export const bodyIntake = (): BodyIntake =>
  (slot[key] ??= createBodyIntake({
    monotonic: () => performance.now(),
    after(ms, task) {
      const timer = setTimeout(task, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
  }))

import type { Chance, Spread } from './random.ts'
import type { Crowd } from './simulate.ts'

const HOUR = 3_600_000

/** The users' behavior in a day; see docs/hosting/scaling.md for the reasons behind these numbers. */
export interface Day {
  readonly owners: number
  /** The mean for one owner. */
  readonly sessionsPerOwner: number
  readonly messagesPerSession: number
  /** Replies per message: a reply that calls tools is followed by another. */
  readonly repliesPerMessage: number
  /** From the end of a reply to the next message, and to the results of its calls. */
  readonly thinkMs: Spread
  readonly toolMs: Spread
  readonly replyTokens: Spread
  /** Of one reply, by its model. */
  readonly tokensPerSecond: Spread
  /** The model's own time to its first token. */
  readonly modelMs: Spread
  /** CPU of a node, per token and per request. */
  readonly tokenCpuMs: number
  readonly requestCpuMs: number
  /** The share of the day's sessions in each hour. */
  readonly profile: readonly number[]
}

/**
 * A day of users who mostly work from nine to six and ask some more in the evening; the busiest hour is 2.1 times the
 * mean.
 */
export const workingDay: readonly number[] = [
  1, 0.5, 0.3, 0.2, 0.3, 0.6, 1.5, 3, 6, 8.5, 9.3, 9, 7, 8, 9, 8.8, 8, 6.5, 4.5, 4, 4, 3.8, 3, 2,
]

export const usualDay: Omit<Day, 'owners'> = {
  sessionsPerOwner: 2.5,
  messagesPerSession: 6,
  repliesPerMessage: 2.2,
  thinkMs: { median: 45_000, sigma: 1 },
  toolMs: { median: 2_500, sigma: 1 },
  replyTokens: { median: 250, sigma: 0.9 },
  tokensPerSecond: { median: 45, sigma: 0.4 },
  modelMs: { median: 700, sigma: 0.6 },
  tokenCpuMs: 0.16,
  requestCpuMs: 8,
  profile: workingDay,
}

/** Owners arrive by the day's profile, think, ask, wait for the reply, run its calls, and think again. */
export const dayOf =
  (day: Day, chance: Chance): Crowd =>
  (agenda, ask) => {
    const perHour = day.owners * day.sessionsPerOwner
    const total = day.profile.reduce((sum, weight) => sum + weight, 0)
    const busiest = (Math.max(...day.profile) / total) * perHour
    const end = day.profile.length * HOUR

    function reply(messages: number, replies: number): void {
      const tokens = Math.max(1, day.replyTokens.median === 0 ? 1 : chance.logNormal(day.replyTokens))
      const serviceMs = chance.logNormal(day.modelMs) + (tokens / chance.logNormal(day.tokensPerSecond)) * 1000
      const cpu = (tokens * day.tokenCpuMs + day.requestCpuMs) / serviceMs
      ask({ serviceMs, cpu }, (outcome) => {
        // An owner who was refused comes back another time.
        if (outcome === 'refused' || outcome === 'gave-up') return
        if (outcome === 'finished' && replies > 1) {
          return agenda.at(agenda.now() + chance.logNormal(day.toolMs), () => reply(messages, replies - 1))
        }
        if (messages > 1) agenda.at(agenda.now() + chance.logNormal(day.thinkMs), () => begin(messages - 1))
      })
    }

    const begin = (messages: number) => reply(messages, chance.geometric(day.repliesPerMessage))

    /** Generates arrivals at the rate of the busiest hour, and drops the surplus of other hours. */
    function nextSession(): void {
      const at = agenda.now() + chance.exponential(HOUR / busiest)
      if (at >= end) return
      agenda.at(at, () => {
        nextSession()
        const now = ((day.profile[Math.floor(at / HOUR)] ?? 0) / total) * perHour
        if (chance.next() * busiest < now) begin(chance.geometric(day.messagesPerSession))
      })
    }
    nextSession()
  }

/** The simple case with a formula: independent requests. */
export const poisson =
  (simple: { readonly count: number; readonly everyMs: number; readonly serviceMs: number }, chance: Chance): Crowd =>
  (agenda, ask) => {
    function next(left: number): void {
      if (left === 0) return
      agenda.at(agenda.now() + chance.exponential(simple.everyMs), () => {
        ask({ serviceMs: chance.exponential(simple.serviceMs), cpu: 0 }, () => {})
        next(left - 1)
      })
    }
    next(simple.count)
  }

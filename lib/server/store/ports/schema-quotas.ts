/* The tables of fair use; the rules of `schema.ts` hold. `owner` may be a subject that is no person (`subjects.ts`). */
export interface QuotaTables {
  quotas: QuotaTable
  run_claims: RunClaimTable
  usage: UsageTable
  owners: OwnerTable
}

/** What was taken in one window of time. */
export interface QuotaTable {
  owner: string
  name: string
  starts_at: number
  ends_at: number
  n: number
}

/** What a reply holds from its append to its end: a place, and the tokens that were set aside for it. */
export interface RunClaimTable {
  /** The person, or once more the address that the reply was asked from. */
  owner: string
  run_id: string
  /** The person, in every row. */
  claimed_by: string
  conversation_id: string
  /** 0 or 1: it stands in the queue. */
  waits: number
  /** In the queue, from 1; 0 while that is not known. */
  place: number
  address: string | null
  model: string
  tokens_in: number
  tokens_out: number
  /** JSON of the quotas that the tokens were taken from. */
  budgets: string
  claimed_at: number
}

export interface UsageTable {
  owner: string
  /** Midnight UTC, epoch ms. */
  day: number
  model: string
  replies: number
  tokens_in: number
  tokens_out: number
  /** Replies of them whose provider said no numbers. */
  estimated: number
}

export interface OwnerTable {
  owner: string
  /** `account` for somebody who can come back from anywhere, `visitor` for who is known by a cookie alone. */
  kind: string
  first_seen: number
  last_seen: number
}

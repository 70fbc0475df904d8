import type { OpennessLine } from '@/lib/server/http/bind'
import type { OwnRate } from '@/lib/server/quota/rate'
import type { ChatService } from '@/lib/server/chats/chat-service'
import type { Owners } from '@/lib/server/quota/owner'
import type { Accounts } from '@/lib/server/accounts/accounts'
import type { Store } from '@/lib/server/store/ports/store'
import type { Quotas } from './requests/quotas.server'
import type { HealthRound } from './observe/process-health.server'

/** What the routes need of this process. */
export interface Server {
  readonly service: ChatService
  readonly store: Store
  readonly owners: Owners
  readonly rateLimit: OwnRate
  /** What is shared with other nodes; left out: nothing is. */
  readonly fairUse?: Quotas
  /** Notes for the log who asks. */
  readonly noteOwner?: (owner: string) => void
  /** Left out or null: everyone is a browser. */
  readonly accounts?: Accounts | null
  /** What a page of an account knows its owner by. */
  readonly mark?: (owner: string) => string
  /** Who can come in, in lines for anyone who starts it; left out or empty: this machine alone. */
  readonly openness?: readonly OpennessLine[]
  /** For Prometheus, of all processes of this server; left out where no one asked for them. */
  readonly metrics?: () => Promise<{ readonly type: string; readonly text: string }>
  /** How the processes do; left out: this one is the only one. */
  readonly health?: HealthRound
  /** Whether models may be measured; left out: they may. */
  readonly lab?: boolean
  /** Who may read chats by links; left out: anyone who may see this server's pages. */
  readonly share?: 'off' | 'on' | 'public'
  /** Left out: a few megabytes. */
  readonly maxImportBytes?: number
}

import type { OpennessLine } from '@/lib/server/http/bind'
import type { OwnRate } from '@/lib/server/quota/rate'
import type { ChatService } from '@/lib/server/chats/chat-service'
import type { Owners } from '@/lib/server/quota/owner'
import type { Accounts } from '@/lib/server/accounts/accounts'
import type { Store } from '@/lib/server/store/ports/store'
import type { Quotas } from './requests/quotas.server'
import type { HealthRound } from './observe/process-health.server'

/** What the routes need from this process. */
export interface Server {
  readonly service: ChatService
  readonly store: Store
  readonly owners: Owners
  readonly rateLimit: OwnRate
  /** Limits shared with other nodes; omitted: none. */
  readonly fairUse?: Quotas
  /** Records the owner for the log. */
  readonly recordOwner?: (owner: string) => void
  /** Omitted or null: owners are anonymous browsers. */
  readonly accounts?: Accounts | null
  /** The mark by which a page of an account identifies its owner. */
  readonly mark?: (owner: string) => string
  /** Start-up lines for the operator about who can connect; omitted or empty: only this machine. */
  readonly openness?: readonly OpennessLine[]
  /** For Prometheus, of all processes of this server; omitted if metrics are disabled. */
  readonly metrics?: () => Promise<{ readonly type: string; readonly text: string }>
  /** The health of the processes; omitted: this is the only one. */
  readonly health?: HealthRound
  /** Whether the lab may test models; omitted: yes. */
  readonly lab?: boolean
  /** Who may open share links; omitted: anyone who may see this server's pages. */
  readonly share?: 'off' | 'on' | 'public'
  /** Omitted: a few megabytes. */
  readonly maxImportBytes?: number
}

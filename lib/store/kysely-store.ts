import type { Kysely } from 'kysely'
import { accountQueries } from './account-queries'
import { appendQueries } from './append-queries'
import { amendmentQueries } from './amendment-queries'
import { branchQueries } from './branch-queries'
import { callQueries } from './call-queries'
import { releaseQueries } from './release-queries'
import { denialQueries } from './denial-queries'
import { conversationQueries } from './conversation-queries'
import { decodeOnce } from './decode-once'
import { fairUseQueries } from './fair-use-queries'
import { filePlaceQueries } from './file-place-queries'
import { grantQueries } from './grant-queries'
import { auditedQuery } from './audited-query'
import { houseQueries } from './house-queries'
import { imageQueries } from './image-queries'
import { importQueries } from './import-queries'
import { indexQueries } from './index-queries'
import { logQueries } from './log-queries'
import { ownerMoveQueries } from './owner-move-queries'
import { timeOf, type DatabaseTime } from './database-time'
import type { DecodeSettings } from './rows'
import { presetQueries } from './preset-queries'
import { pruneQueries } from './prune-queries'
import { ownerDataQueries } from './owner-data-queries'
import { runEventQueries, type RelaxedTransaction } from './run-event-queries'
import { runQueries } from './run-queries'
import { searchQueries } from './search-queries'
import { sessionQueries } from './session-queries'
import { shareQueries } from './share-queries'
import { shelfQueries } from './shelf-queries'
import { toolQueries } from './tool-queries'
import { trialClaims } from './trial-claims'
import { tryQueries } from './try-queries'
import type { Schema } from './schema'
import type { Store } from './store'
import { tabRunQueries } from './tab-run-queries'
import { summaryQueries } from './summary-queries'
import { viewQueries } from './view-queries'

/** The store over any Kysely whose tables are up to date. `close` closes the database too. */
export function createKyselyStore(
  db: Kysely<Schema>,
  options: {
    readonly kind: Store['kind']
    readonly decodeSettings: DecodeSettings
    readonly relaxed: RelaxedTransaction
    /** The same for what replies write all the time, their hearts above all: they wait for nobody else. */
    readonly ofReplies: RelaxedTransaction
    readonly time: DatabaseTime
    /** This process, as its runs name it; left out: they don't. */
    readonly process?: number
    readonly ping: (db: Kysely<Schema>) => Promise<void>
  },
): Store {
  const decodeSettings = decodeOnce(options.decodeSettings)
  return {
    kind: options.kind,
    ...conversationQueries(db, decodeSettings, options.relaxed),
    ...branchQueries(db, decodeSettings),
    ...viewQueries(db, decodeSettings),
    ...summaryQueries(db),
    ...appendQueries(db, decodeSettings, options),
    ...callQueries(db, decodeSettings),
    ...releaseQueries(db),
    ...denialQueries(db),
    ...amendmentQueries(db),
    ...grantQueries(db),
    ...imageQueries(db),
    ...fairUseQueries(db),
    ...trialClaims(db),
    ...ownerDataQueries(db),
    ...importQueries(db, decodeSettings),
    ...indexQueries(db, options.kind, options.relaxed),
    ...logQueries(db),
    ...searchQueries(db, options.kind),
    ...shareQueries(db),
    ...shelfQueries(db),
    ...presetQueries(db),
    ...toolQueries(db, decodeSettings),
    ...runQueries(db, options.time),
    ...runEventQueries(db, options.ofReplies, options.time),
    ...tabRunQueries(db, options.relaxed, options.time),
    accounts: {
      ...accountQueries(db),
      ...sessionQueries(db),
      ...houseQueries(db),
      ...auditedQuery(db),
      ...tryQueries(db),
      ...ownerMoveQueries(db),
      ...filePlaceQueries(db),
    },
    database: { db, type: options.kind },
    ...pruneQueries(db, options.time),
    ping: () => options.ping(db),
    time: () => timeOf(db, options.time),
    close: () => db.destroy(),
  }
}

import { fairUseContract } from '../ports/quotas.contract'
import { approvalContract } from '../ports/store-approval.contract'
import { copyContract } from '../ports/store-copy.contract'
import { branchContract } from '../ports/store-branch.contract'
import { deletionContract } from '../ports/store-deletion.contract'
import { imagesContract } from '../ports/store-images.contract'
import { runsContract } from '../ports/store-runs.contract'
import { tabRunsContract } from '../ports/store-tab-runs.contract'
import { sharesContract } from '../ports/store-shares.contract'
import { toolsContract } from '../ports/store-tools.contract'
import { accountsContract } from '../ports/store-accounts.contract'
import { presetsContract } from '../ports/presets.contract'
import { toolServersContract } from '../ports/tool-servers.contract'
import { projectsContract } from '../ports/projects.contract'
import { searchContract } from '../ports/search.contract'
import { viewContract } from '../ports/store-view.contract'
import { storeContract, type StoreUnderTest } from '../ports/store.contract'

/** All contracts of the store, on one kind of database; add a new contract here. */
export function everyContract(name: string, openBoth: (now?: () => number) => Promise<StoreUnderTest>): void {
  storeContract(name, openBoth)
  runsContract(name, openBoth)
  approvalContract(name, openBoth)
  copyContract(name, openBoth)
  branchContract(name, openBoth)
  deletionContract(name, openBoth)
  imagesContract(name, openBoth)
  toolsContract(name, openBoth)
  tabRunsContract(name, openBoth)
  accountsContract(name, openBoth)
  viewContract(name, openBoth)
  fairUseContract(name, openBoth)
  searchContract(name, openBoth)
  sharesContract(name, openBoth)
  presetsContract(name, openBoth)
  projectsContract(name, openBoth)
  toolServersContract(name, openBoth)
}

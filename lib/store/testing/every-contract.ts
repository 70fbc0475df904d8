import { fairUseContract } from '../quotas.contract'
import { approvalContract } from '../store-approval.contract'
import { branchContract } from '../store-branch.contract'
import { imagesContract } from '../store-images.contract'
import { runsContract } from '../store-runs.contract'
import { tabRunsContract } from '../store-tab-runs.contract'
import { sharesContract } from '../store-shares.contract'
import { toolsContract } from '../store-tools.contract'
import { accountsContract } from '../store-accounts.contract'
import { presetsContract } from '../presets.contract'
import { toolServersContract } from '../tool-servers.contract'
import { searchContract } from '../search.contract'
import { viewContract } from '../store-view.contract'
import { storeContract, type StoreUnderTest } from '../store.contract'

/** All that every store must do, on one kind of database; a new contract is added here. */
export function everyContract(name: string, openBoth: (now?: () => number) => Promise<StoreUnderTest>): void {
  storeContract(name, openBoth)
  runsContract(name, openBoth)
  approvalContract(name, openBoth)
  branchContract(name, openBoth)
  imagesContract(name, openBoth)
  toolsContract(name, openBoth)
  tabRunsContract(name, openBoth)
  accountsContract(name, openBoth)
  viewContract(name, openBoth)
  fairUseContract(name, openBoth)
  searchContract(name, openBoth)
  sharesContract(name, openBoth)
  presetsContract(name, openBoth)
  toolServersContract(name, openBoth)
}

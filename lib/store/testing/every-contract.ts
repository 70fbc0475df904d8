import { approvalContract } from '../store-approval.contract'
import { branchContract } from '../store-branch.contract'
import { imagesContract } from '../store-images.contract'
import { toolsContract } from '../store-tools.contract'
import { storeContract, type StoreUnderTest } from '../store.contract'

/** All that every store must do, on one kind of database; a new contract is added here. */
export function everyContract(name: string, openBoth: (now?: () => number) => Promise<StoreUnderTest>): void {
  storeContract(name, openBoth)
  approvalContract(name, openBoth)
  branchContract(name, openBoth)
  imagesContract(name, openBoth)
  toolsContract(name, openBoth)
}

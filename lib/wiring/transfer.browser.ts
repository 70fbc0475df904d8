import { createTransferApi, type TransferApi } from '@/lib/client/transfer-api'

// Loaded when a chat is exported or imported: nothing here belongs to the first load.
export const transferApi: TransferApi = createTransferApi((input, init) => fetch(input, init))

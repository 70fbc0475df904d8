'use client'

import { useAui } from '@assistant-ui/react'

/** In the scope of a message that need not be shown: shows the branch on which it stands. */
export function useGoToBranch(): () => void {
  const aui = useAui()
  return () => aui.message.switchToBranch({ branchId: aui.message.getState().id })
}

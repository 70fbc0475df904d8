import { useEffect } from 'react'

const REST_MS = 600

/** Opens the folder that a drag rests on, so that one can go on into it. */
export function useRestOpen(folder: string | null, setOpen: (folder: string, open: boolean) => void): void {
  useEffect(() => {
    if (folder === null || folder === '/') return
    const timer = setTimeout(() => setOpen(folder, true), REST_MS)
    return () => clearTimeout(timer)
  }, [folder, setOpen])
}

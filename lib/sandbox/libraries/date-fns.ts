export * as dateFns from 'date-fns'

/** Where the end of the first meeting is recorded. */
export const bootstrapRecord = '.soulprompt/bootstrap.json'

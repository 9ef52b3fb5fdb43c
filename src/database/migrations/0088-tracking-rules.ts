/** The version of the rules by which dates follow from events, which the dates of new accounts follow. */
export const namesInTexts = `
alter table accounts alter column tracking_rules set default 9;
`

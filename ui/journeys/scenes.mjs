export async function arguments_of() { return []; }

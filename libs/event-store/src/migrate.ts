/** Brings the schema up to date. Several services may call it at once: one migrates, the others wait. @returns names of the migrations run. */
export declare function migrate(databaseUrl: string): Promise<string[]>;

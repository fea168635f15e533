CREATE TABLE "lobby_pools" (
	"lobby_id" uuid PRIMARY KEY NOT NULL,
	"reconciled_slot" numeric(20, 0),
	"proven_slot" numeric(20, 0),
	"reserve_lamports" numeric(20, 0)
);
--> statement-breakpoint
ALTER TABLE "lobby_pools" ADD CONSTRAINT "lobby_pools_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
INSERT INTO "lobby_pools" ("lobby_id", "reconciled_slot", "proven_slot", "reserve_lamports")
	SELECT "id", "reconciled_slot", "proven_slot", "reserve_lamports" FROM "lobbies"
	WHERE num_nonnulls("reconciled_slot", "proven_slot", "reserve_lamports") > 0;
-- The columns of "lobbies" stay for now: during a rolling update, processes of the version before still name them in every
-- query, and could not settle their matches without them. Nothing reads them afterwards; a later migration drops them.

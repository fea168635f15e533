CREATE TABLE "lobby_leases" (
	"lobby_id" uuid PRIMARY KEY NOT NULL,
	"process_id" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "lobby_leases" ADD CONSTRAINT "lobby_leases_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "entries_timed" ON "entries" USING btree ("state_expires_at") WHERE "entries"."state_expires_at" is not null;--> statement-breakpoint
CREATE INDEX "entries_playing" ON "entries" USING btree ("held_by") WHERE "entries"."state" = 'playing';--> statement-breakpoint
CREATE INDEX "entries_refunding" ON "entries" USING btree ("id") WHERE "entries"."state" = 'refunding';
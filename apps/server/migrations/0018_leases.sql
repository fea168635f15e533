-- Nobody runs while tables change; whoever starts takes leases anew.
DELETE FROM "lobby_leases";--> statement-breakpoint
DELETE FROM "game_processes";--> statement-breakpoint
CREATE TABLE "match_moves" (
	"match_id" uuid PRIMARY KEY NOT NULL,
	"state" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "game_processes" ADD COLUMN "beats" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "game_processes" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "game_processes" ADD COLUMN "version" text NOT NULL;--> statement-breakpoint
ALTER TABLE "game_processes" ADD COLUMN "is_draining" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "lobby_leases" ADD COLUMN "token" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "lobby_leases_token_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "match_moves" ADD CONSTRAINT "match_moves_match_id_matches_id_fk" FOREIGN KEY ("match_id") REFERENCES "public"."matches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lobby_leases" ADD CONSTRAINT "lobby_leases_process_id_game_processes_id_fk" FOREIGN KEY ("process_id") REFERENCES "public"."game_processes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lobby_leases_process_id_index" ON "lobby_leases" USING btree ("process_id");--> statement-breakpoint
ALTER TABLE "game_processes" DROP COLUMN "seen_at";